// What the host says to a page waits until the page can hear it. Native code is never that early on a device, and a local
// server easily is.

/**
 * A queue: runs what it is given in order, at once or as soon as it is called and `isOpen` says so.
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
/** Tells whether the page has assigned a callback; set by a bridge whose pages assign any. */
let hasCallback = () => false;

/** Runs what it is given at once, or after the document's own scripts as long as they have assigned no callback. */
const whenPageListens = queue(() => isPageListening ||= document.readyState === "complete" || hasCallback());
