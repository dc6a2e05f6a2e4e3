import { reportUncaught } from "../../shim/builtins.js";

/**
 * Runs code of an adapter. An error in it is reported, and affects nothing else.
 * @template Result
 * @param {() => Result} run
 * @returns {Result | undefined}
 */
export function guarded(run) {
  try {
    return run();
  } catch (error) {
    reportUncaught(error);
  }
}
