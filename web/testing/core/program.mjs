// Finds the program: the one that `FOOTBRIDGE` names, the one in this package or in that of this platform, or the one on the `PATH`.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** The program in a package for one platform. */
const carried = fileURLToPath(new URL("../native/footbridge", import.meta.url));

/** Returns the path of the program, or its name. */
export function findProgram() {
  if (process.env.FOOTBRIDGE) return process.env.FOOTBRIDGE;
  return existsSync(carried) ? carried : inPlatformPackage() ?? "footbridge";
}

/** Returns the path of the program in the package of this platform; undefined if that is not installed. */
function inPlatformPackage() {
  try {
    return createRequire(import.meta.url).resolve(`footbridge-${process.platform}-${process.arch}/native/footbridge`);
  } catch {
    return undefined;
  }
}
