// Messages to a page wait until the page can receive them. On a device, native code is never that early, but a local server
// often is.

/**
 * Makes a queue. It runs the given functions in order: at once, or as soon as it is called and `isOpen` returns true.
 * @param {() => unknown} isOpen
 * @returns {(call?: () => void) => void}
 */
function queue(isOpen) {
  /** @type {(() => void)[]} */
  const waiting = [];
  return (call) => {
    if (call) waiting[waiting.length] = call;
    while (isOpen() && waiting.length) shift(waiting)();
  };
}

let isPageListening = false;
/** Tells whether the page has assigned a callback. A bridge whose pages assign callbacks sets it. */
let hasCallback = () => false;

/** Runs a function at once, or after the document's own scripts if they have not assigned a callback yet. */
const whenPageListens = queue(() => isPageListening ||= document.readyState === "complete" || hasCallback());
