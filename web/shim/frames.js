// Frames whose documents no server sends: `srcdoc`, `data:` and `blob:`. In WebKit they have the handlers like any other
// frame. Here, only the document around them can give them the shim. Browsers load a frame in a later task than the one
// that makes it, so an observer is in time. It is too late for a sandboxed frame, which has its own process.

import { apply, warn } from "./builtins.js";
import { ownFolder, ownScript } from "./configuration.js";
import { trusted } from "./trusted.js";

/** Tells the server that a frame of its own pages requests the shim. */
export const frameKey = ownScript?.getAttribute("data-footbridge-frame");

/** Matches what comes before the first element that can contain a script. */
const beforeScripts =
  /^\uFEFF?(?:\s|<!--[^]*?-->|<!doctype[^>]*>|<(?:html|head)(?=[\s/>])(?:"[^"]*"|'[^']*'|[^'">])*>)*/i;

/** @type {string | undefined} */
let shimTag;

/** The element that loads the shim into a frame; made for the first such frame. */
const frameTag = () => shimTag ||=
  `<script src="${ownFolder}shim.js?frame=${frameKey}" data-footbridge-frame="${frameKey}"${
    ownScript?.nonce ? ` nonce="${ownScript.nonce}"` : ""}></script>`;

/** @param {string} html */
const withShim = (html) =>
  html.includes(frameTag()) ? html : html.replace(beforeScripts, (start) => start + shimTag);

/**
 * Returns the same address with the shim in its document; undefined if it is not a `data:` address of HTML.
 * @param {string} address
 */
function dataWithShim(address) {
  const [, parameters, base64, body, fragment = ""] =
    /^data:text\/html((?:;[^,;]*)*?)(;\s*base64\s*)?,([^#]*)(#.*)?$/is.exec(address) ?? [];
  if (body === undefined) return;
  // One character for each byte: the document may have any encoding that contains ASCII.
  const bytes = body.replace(/%([\da-f]{2})/gi, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
  return `data:text/html${parameters};base64,${btoa(withShim(base64 ? atob(bytes) : bytes))}${fragment}`;
}

/**
 * @param {string} address - begins with `blob:`
 * @returns {string | undefined} the address of a copy with the shim in it; undefined if it is not HTML
 */
function blobWithShim(address) {
  const request = new XMLHttpRequest();
  const open = () => request.open("GET", address, false);
  open();
  request.send();
  // Firefox forgets the type once another one overrides it.
  const type = /** @type {any} */ (request.getResponseHeader("Content-Type"));
  if (!/^text\/html\b/i.test(type)) return;
  open();
  // One character for each byte, plus a constant for bytes outside ASCII.
  request.overrideMimeType("text/plain;charset=x-user-defined");
  request.send();
  const bytes = Uint8Array.from(withShim(request.responseText), (character) => character.charCodeAt(0) & 0xff);
  return URL.createObjectURL(new Blob([bytes], { type }));
}

const nativeSrcdoc = /** @type {Required<PropertyDescriptor>} */ (
  Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "srcdoc"));

/**
 * @param {HTMLIFrameElement} frame
 * @param {string} html
 */
const setSrcdoc = (frame, html) => apply(nativeSrcdoc.set, frame, [trusted(withShim(html))]);

/** @param {HTMLIFrameElement} frame */
function furnish(frame) {
  const { contentWindow, sandbox, src } = frame;
  if (!contentWindow || frame.hasAttribute("sandbox")
    && !(sandbox.contains("allow-scripts") && sandbox.contains("allow-same-origin"))) return;
  try {
    const html = frame.getAttribute("srcdoc");
    if (html !== null) {
      // The observer sees this change, too.
      if (!html.includes(frameTag())) setSrcdoc(frame, html);
      return;
    }
    const address = /^blob:/i.test(src) ? blobWithShim(src) : dataWithShim(src);
    if (address) contentWindow.location.replace(address);
  } catch (error) {
    warn("Footbridge has no way into this frame:", frame, error);
  }
}

/** @param {MutationRecord[]} records */
function furnishFrames(records) {
  // Most changes are in documents without frames.
  if (!window.length) return;
  const frames = new Set();
  for (const { addedNodes, target, type } of records) {
    for (const node of type === "attributes" ? [target] : addedNodes) {
      if (!(node instanceof Element)) continue;
      if (node.localName === "iframe") frames.add(node);
      else for (const frame of node.querySelectorAll("iframe")) frames.add(frame);
    }
  }
  frames.forEach(furnish);
}

/** Puts the shim into a `srcdoc` that a script sets, before the frame exists. */
function furnishSrcdoc() {
  const { prototype } = HTMLIFrameElement;
  const { get, set } = nativeSrcdoc;
  const { setAttribute } = prototype;
  /** @type {HTMLIFrameElement | undefined} */
  let scratch;
  Object.defineProperties(prototype, Object.getOwnPropertyDescriptors({
    get srcdoc() {
      return apply(get, this, []).replace(frameTag(), "");
    },
    set srcdoc(value) {
      scratch ??= document.createElement("iframe");
      // The page may have a policy that accepts no text.
      apply(set, scratch, [value]);
      setSrcdoc(/** @type {any} */ (this), apply(get, scratch, []));
    },
    /**
     * @param {string} name
     * @param {string} value
     */
    setAttribute(name, value) {
      if (/^srcdoc$/i.test(name)) this.srcdoc = value;
      else apply(setAttribute, this, arguments);
    },
  }));
}

export function watchFrames() {
  if (!frameKey) return;
  furnishSrcdoc();
  new MutationObserver(furnishFrames).observe(document, {
    childList: true, subtree: true, attributes: true, attributeFilter: ["src", "srcdoc"],
  });
}
