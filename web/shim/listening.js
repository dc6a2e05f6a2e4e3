// Messages to a page wait until the page can receive them. On a device, native code is never that early, but a local server
// often is.

import { shift } from "./builtins.js";
import { hooks } from "./parts.js";

/**
 * Makes a queue. It runs the given functions in order: at once, or as soon as it is called and `isOpen` returns true.
 * @param {() => unknown} isOpen
 * @returns {(call?: () => void) => void}
 */
export function queue(isOpen) {
  /** @type {(() => void)[]} */
  const waiting = [];
  return (call) => {
    if (call) waiting[waiting.length] = call;
    while (isOpen() && waiting.length) shift(waiting)();
  };
}

/** @type {boolean | undefined} */
let isPageListening;

/** Runs a function at once, or after the document's own scripts if they have not assigned a callback yet. */
export const whenPageListens = queue(() => isPageListening ||= document.readyState === "complete" || hooks.isOpen?.());
