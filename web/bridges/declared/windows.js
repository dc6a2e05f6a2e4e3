// Windows that the page wants to open. The app decides what becomes of them, as the bridge's section says; and their addresses can be
// messages. Browsers report the navigations of a document, but not those to another window. So this script intercepts the places where
// links, forms and scripts name a window.

import { apply, defineProperty, listen, pathOf, startTimer, uncurry, warn } from "../../shim/builtins.js";
import { request } from "../../shim/connection.js";
import { hooks } from "../../shim/parts.js";
import { listenAlways } from "../../shim/relisten.js";

/**
 * What the app does with a page that wants a window: nothing, as WKWebView does by itself; it loads the address in the same web view, or
 * opens it outside of the app; or it has tabs.
 * @typedef {"none" | "same" | "outside" | "tab"} WindowPolicy
 */

const attributeOf = uncurry(Element.prototype.getAttribute);
const setAttribute = uncurry(Element.prototype.setAttribute);
const removeAttribute = uncurry(Element.prototype.removeAttribute);

/** @type {WindowPolicy | undefined} */
let policy;
let isWatching = false;
let isTold = false;

/**
 * Finds a frame of this name below a window.
 * @param {any} around
 * @param {string} name
 * @returns {boolean}
 */
function hasFrame(around, name) {
  for (let index = 0; index < around.length; index++) {
    try {
      if (around[index].name === name) return true;
    } catch {
      // A frame of another origin does not tell its name.
    }
    if (hasFrame(around[index], name)) return true;
  }
  return false;
}

/**
 * What a name of a window stands for: this document or one around it, another frame, or a new window.
 * @param {string} name
 */
function targetOf(name) {
  if (!name || name === window.name || /^_(self|parent|top)$/i.test(name)) return "own";
  return !/^_blank$/i.test(name) && hasFrame(window.top, name) ? "frame" : "new";
}

/**
 * Handles a navigation to a window of this name.
 * @param {string} address
 * @param {string} name
 * @param {() => boolean} load - loads the address into this document, in place of a new window; returns whether it does so without the browser
 * @returns {boolean} whether the browser must not navigate
 */
function takeWindow(address, name, load) {
  const target = targetOf(name);
  if (target === "own") return false;
  const newWindow = target === "new";
  if (address && hooks.takeNavigation?.(address, { frame: !newWindow, newWindow })) return true;
  if (!newWindow || policy === "tab") return false;
  if (policy === "same") return load();
  if (policy === "outside") {
    if (address) request("footbridge.outside", { url: new URL(address, document.baseURI).href }, () => {});
  } else if (!isTold) {
    isTold = true;
    warn("Footbridge: no window opens, as in a web view whose app opens none. If your app does, set windows in the section of the bridge.");
  }
  return true;
}

/** @param {string} address */
const loadHere = (address) => () => {
  if (address) location.href = address;
  return true;
};

/** The name of the window that a link or a form is for. */
const nameOf = (/** @type {Element} */ element) =>
  attributeOf(element, "target") ?? document.querySelector("base[target]")?.getAttribute("target") ?? "";

/**
 * The name of the window that a form is for.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [submitter] - the button
 */
const nameOfForm = (form, submitter) => submitter && attributeOf(submitter, "formtarget") || nameOf(form);

/**
 * Whether a form is for another window or frame, whose navigations this script handles.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [submitter] - the button
 */
export const isForOther = (form, submitter) => targetOf(nameOfForm(form, submitter)) !== "own";

/** @param {MouseEvent} event */
function takeLink(event) {
  // With these keys, the person opens a tab of the browser.
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = pathOf(event).find((/** @type {any} */ element) =>
    (element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement) && element.href);
  if (link && !link.hasAttribute("download") && takeWindow(link.href, nameOf(link), loadHere(link.href))) event.preventDefault();
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [submitter] - the button
 * @returns whether the browser must not submit the form
 */
function takeForm(form, submitter) {
  // A form can have fields of any name, in place of its members.
  const setting = (/** @type {string} */ name) => submitter && attributeOf(submitter, `form${name}`) || attributeOf(form, name);
  const name = nameOfForm(form, submitter);
  const method = `${setting("method") ?? ""}`.toLowerCase();
  if (method === "dialog" || targetOf(name) === "own") return false;
  const address = new URL(setting("action") || document.URL, document.baseURI);
  if (method !== "post") {
    const fields = new URLSearchParams(new /** @type {any} */ (FormData)(form, submitter));
    address.search = `${fields}`;
  }
  return takeWindow(address.href, name, () => {
    const [element, target] = submitter && attributeOf(submitter, "formtarget") ? [submitter, "formtarget"] : [form, "target"];
    const former = attributeOf(element, target);
    setAttribute(element, target, "_self");
    startTimer(() => former === null ? removeAttribute(element, target) : setAttribute(element, target, former));
    return false;
  });
}

/** @param {SubmitEvent} event */
function takeSubmission(event) {
  if (!event.defaultPrevented && takeForm(/** @type {any} */ (event.target), event.submitter)) event.preventDefault();
}

function watchWindows() {
  listenAlways(() => {
    listen(window, "click", takeLink);
    listen(window, "submit", takeSubmission);
  });
  const { open } = window;
  defineProperty(window, "open", { configurable: true, enumerable: true, writable: true, value: { open(url = "", name = "_blank") {
    const address = `${url}`;
    // Unlike a link without a target, an empty name is for a new window.
    return takeWindow(address, `${name}` || "_blank", loadHere(address)) ? null : apply(open, window, arguments);
  } }.open });
  const { prototype } = HTMLFormElement;
  const { submit } = prototype;
  defineProperty(prototype, "submit", { configurable: true, enumerable: true, writable: true, value: { submit() {
    if (!takeForm(/** @type {any} */ (this))) apply(submit, this, arguments);
  } }.submit });
}

/**
 * Has the app open windows as the section of a bridge says. The first bridge of the document that says it decides.
 * @param {WindowPolicy} [own]
 */
export function decideWindows(own) {
  policy ??= own;
  if (isWatching) return;
  isWatching = true;
  watchWindows();
}
