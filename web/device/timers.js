// Timers of an app that is suspended: what is due meanwhile waits, and runs once when the app continues.

import { replaceFunction } from "./replace.js";

let isStopped = false;
const { requestAnimationFrame: nextFrame, setTimeout: startTimer } = window;

/** Callbacks that are due, by what their timers are and their ids, in the order in which they became due. */
/** @type {Map<string, (time?: number) => void>} */
const due = new Map();

/**
 * Has the callbacks of a kind of timers wait while the app is suspended.
 * @param {string} kind
 * @param {string[]} starts - the functions that start one
 * @param {string[]} stops - the functions that stop one
 */
function replaceTimers(kind, starts, stops) {
  for (const name of starts) {
    replaceFunction(window, name, (start) => function (/** @type {any} */ callback, /** @type {any[]} */ ...rest) {
      // A text that the browser evaluates is left to it.
      if (typeof callback !== "function") return start.call(window, callback, ...rest);
      const id = start.call(window, (/** @type {any[]} */ ...values) => {
        if (isStopped) due.set(`${kind} ${id}`, (time) => callback.apply(window, kind === "frame" ? [time] : values));
        else callback.apply(window, values);
      }, ...rest);
      return id;
    });
  }
  for (const name of stops) {
    replaceFunction(window, name, (stop) => function (/** @type {any} */ id) {
      due.delete(`${kind} ${id}`);
      stop.call(window, id);
    });
  }
}

/** @param {number} [time] - of a frame; undefined to run what else is due */
function runDue(time) {
  for (const [key, run] of [...due]) {
    // The app can be suspended again, and a callback can stop the timer of another one.
    if (isStopped) return;
    if (key.startsWith("frame") !== (time !== undefined) || !due.delete(key)) continue;
    try {
      run(time);
    } catch (error) {
      reportError(error);
    }
  }
}

export function replaceAllTimers() {
  replaceTimers("timer", ["setTimeout", "setInterval"], ["clearTimeout", "clearInterval"]);
  replaceTimers("frame", ["requestAnimationFrame"], ["cancelAnimationFrame"]);
  replaceTimers("idle", ["requestIdleCallback"], ["cancelIdleCallback"]);
}

/** @param {boolean} isToStop */
export function stopTimers(isToStop) {
  if (isStopped === isToStop) return;
  isStopped = isToStop;
  if (isStopped) return;
  startTimer(runDue);
  nextFrame(runDue);
}
