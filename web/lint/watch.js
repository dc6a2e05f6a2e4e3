// Takes the shim's observations, once each bridge has said what it looks for. An error here never reaches the page.

import { afterwards, seeing, shim } from "./base.js";
import "./handlers.js";

/** @type {(...observation: [kind: string, ...details: any[]]) => void} */
const take = (kind, ...details) => {
  try {
    seeing[kind]?.(...details);
    for (const each of afterwards) each();
  } catch {
    // The page has replaced something that this script needs.
  }
};

for (const [kind, ...details] of shim?.watch(take) ?? []) take(kind, ...details);
