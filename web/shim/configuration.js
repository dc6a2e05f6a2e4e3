/**
 * A channel of `window.webkit.messageHandlers`.
 * @typedef {object} ChannelConfiguration
 * @property {string} name - the name of the handler
 * @property {string} [action] - the action of the requests that carry its messages as `{value}`
 * @property {boolean} [envelope] - instead of that, messages are envelopes themselves and are sent as they are
 * @property {boolean} reply - whether the answer's `value` reaches the page; without, the promise resolves `undefined`
 */

/**
 * How GBG's messages reach the page.
 * @typedef {object} DeliveryConfiguration
 * @property {string} [function] - the path of a function from `window`, such as `GBGBridge.onNativeMessage`
 * @property {string} [event] - the name of a `CustomEvent` on `window`, whose `detail` is the message
 * @property {"object" | "string"} [as] - an object by default, or its JSON text
 */

/**
 * What the server says about the host that it plays.
 * @typedef {object} HostConfiguration
 * @property {string[]} bridges - whose messages the shim makes: their actions begin with these names
 * @property {"docs" | "1.3"} [onsideContract] - nothing where there is no `window.onside`
 * @property {"ios" | "macos"} platform
 * @property {ChannelConfiguration[]} handlers
 * @property {number} messageBytes - the longest message that it takes
 * @property {number} callBytes - the longest that is no image
 * @property {DeliveryConfiguration} [gbg]
 * @property {DeclaredConfiguration[]} [declared] - the bridges of `declared.js`
 */

/** The shim's own `<script>`: it knows the server's origin, the ticket of the document and the nonce of its policy. */
const ownScript = /** @type {HTMLScriptElement | null} */ (document.currentScript);

/** Where the server has what is its own, with a slash at the end. */
const ownFolder = (ownScript?.src || `${location.origin}/__footbridge/`).replace(/[^/?#]*([?#].*)?$/, "");

const isTopFrame = window === window.top;

/**
 * The origins around this document other than its own. What people see of it, and where they click, is up to those.
 * @returns {string[]}
 */
function findForeignAncestors() {
  if (location.ancestorOrigins) return Array.from(location.ancestorOrigins).filter((origin) => origin !== window.origin);
  try {
    // Not every browser tells them. A document of another origin shows nothing of its address.
    for (let inner = window; inner !== inner.parent; inner = /** @type {any} */ (inner.parent)) void inner.parent.location.href;
    return [];
  } catch {
    return ["null"];
  }
}

const foreignAncestors = findForeignAncestors();

/** Whether the document has no origin that the host could know: a sandboxed frame, or one with a `data:` address. */
const isOpaque = window.origin === "null";
