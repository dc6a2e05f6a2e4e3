import { reportUncaught, shift, startTimer } from "../../shim/builtins.js";

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

/** What waits for a task of its own, in order. */
/** @type {(() => unknown)[]} */
const tasks = [];

/**
 * Runs code in a task of its own, as native code acts on a page: after the parser has gone on, and after the timers that the page has set so
 * far.
 * @param {() => unknown} run
 */
export function later(run) {
  tasks[tasks.length] = run;
  startTimer(() => startTimer(() => guarded(shift(tasks))));
}

/**
 * Runs what has come in a task of its own: at once, or after what still waits for one.
 * @param {() => unknown} run
 */
export const inTurn = (run) => tasks.length ? later(run) : run();
