// Messages to a page wait until the page can receive them. On a device, native code is never that early, but a local server
// often is.

import { shift, startTimer } from "./builtins.js";
import { hooks } from "./parts.js";

/**
 * Makes a queue. It runs the given functions in order: at once, or as soon as it is called and `isOpen` returns true. Each that has waited
 * runs in a task of its own, as what native code does in a page, so that the page's microtasks run in between.
 * @param {() => unknown} isOpen
 * @param {(run: () => void) => unknown} [begin] - begins a task; sheets need none, and are shown while a test has stopped the page's timers
 * @returns {(call?: () => void) => void}
 */
export function queue(isOpen, begin = startTimer) {
  /** @type {(() => void)[]} */
  const waiting = [];
  let due = 0;
  const run = () => {
    due--;
    if (isOpen()) shift(waiting)();
  };
  return (call) => {
    if (call && !waiting.length && isOpen()) return call();
    if (call) waiting[waiting.length] = call;
    if (isOpen()) for (; due < waiting.length; due++) begin(run);
  };
}

/** @type {boolean | undefined} */
let isPageListening;

/** Runs a function at once, or after the document's own scripts if they have not assigned a callback yet. */
export const whenPageListens = queue(() => isPageListening ||= document.readyState === "complete" || hooks.isOpen?.());
