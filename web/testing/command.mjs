#!/usr/bin/env node
// The command `footbridge` of the package: runs the program, and ends with its exit code.

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { findProgram } from "./core/program.mjs";

const program = findProgram();
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends its signals to both.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.once("error", (error) => {
  console.error(`footbridge: ${program} cannot be run: ${error.message}. There is no program for ${process.platform} ${process.arch} in this package: set FOOTBRIDGE to its path.`);
  process.exit(69);
});
child.once("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
