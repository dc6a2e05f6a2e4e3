/**
 * A channel of `window.webkit.messageHandlers`.
 * @typedef {object} ChannelConfiguration
 * @property {string} name - the name of the handler
 * @property {string} [action] - the action of the requests that carry its messages as `{value}`
 * @property {boolean} [envelope] - without an action: messages are envelopes, and the shim sends them unchanged
 * @property {boolean} [marksTurns] - whether a request says by `again` that the page has made another one, and has got no answer since
 * @property {boolean} reply - whether the page gets the answer's `value`; otherwise, the promise resolves with `undefined`
 */

/**
 * The shim's own `<script>`: the shim is its text, or it has the address of it. It has the document's ticket and the nonce of the
 * document's policy.
 */
export const ownScript = /** @type {HTMLScriptElement | null} */ (document.currentScript);

/** The address of the server's own routes, with a slash at the end. */
export const ownFolder = new URL(".", ownScript?.src || `${location.origin}/__footbridge/`).href;

export const isTopFrame = configuration.isApp || window === window.top;

/**
 * Returns the foreign origins of the pages around this document. Such a page controls what people see and click on.
 * @returns {string[]}
 */
function findForeignAncestors() {
  if (location.ancestorOrigins) return Array.from(location.ancestorOrigins).filter((origin) => origin !== window.origin);
  try {
    // Not every browser lists them. A document of another origin does not show its address.
    for (let inner = window; inner !== inner.parent; inner = /** @type {any} */ (inner.parent)) void inner.parent.location.href;
    return [];
  } catch {
    return ["null"];
  }
}

export const foreignAncestors = findForeignAncestors();

/**
 * Whether the browser closes the sockets of a page as soon as a navigation begins, even if the page then stays: for a download, or an
 * address for native. Firefox does.
 */
export const closesEarly = "mozInnerScreenX" in window;

/** Whether the document has an opaque origin: a sandboxed frame, or one with a `data:` address. */
export const isOpaque = window.origin === "null";
