// Where a page goes by links and forms. Chromium reports every navigation of a document by itself (the Navigation API). Other browsers have
// no such report, or none for the schemes of apps. There, nobody can watch `location`.

import { apply, listen, pathOf } from "./builtins.js";
import { listenAlways } from "./relisten.js";

/** Whether the browser reports all navigations of a document, whatever sets them off. */
export const reportsNavigations = "navigation" in window && navigator.vendor === "Google Inc.";

/**
 * What a form sends. The button is unknown if a script has submitted it.
 * @typedef {{form: HTMLFormElement, button?: HTMLElement | null, isPost: boolean, data: () => FormData}} SentForm
 */

/**
 * Calls a function with the address of each link and form that the page is about to follow. If the function returns true, the browser does
 * not go there. Where the browser reports navigations, these are only the links to other windows.
 * @param {(address: string, form?: SentForm) => boolean | void} take
 */
export function watchDepartures(take) {
  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement | null} [button]
   */
  const takeForm = (form, button) => {
    const setting = (/** @type {string} */ name) => button?.getAttribute("form" + name) ?? form.getAttribute(name) ?? "";
    const method = setting("method").toLowerCase();
    return method !== "dialog"
      && take(setting("action"), { form, button, isPost: method === "post", data: () => Reflect.construct(FormData, [form, button]) });
  };
  /** @param {any} element */
  const isLink = (element) => element instanceof HTMLAnchorElement && element.href && !(reportsNavigations && !element.target);
  const takeClick = (/** @type {MouseEvent} */ event) => {
    const link = /** @type {HTMLAnchorElement | undefined} */ (pathOf(event).find(isLink));
    if (link && !event.defaultPrevented && take(link.href)) event.preventDefault();
  };
  const takeSubmit = (/** @type {SubmitEvent} */ event) => {
    if (!event.defaultPrevented && takeForm(/** @type {HTMLFormElement} */ (event.target), event.submitter)) event.preventDefault();
  };
  listenAlways(() => {
    listen(window, "click", takeClick);
    if (!reportsNavigations) listen(window, "submit", takeSubmit);
  });
  if (reportsNavigations) return;
  const { prototype } = HTMLFormElement;
  const { click, submit } = /** @type {any} */ (prototype);
  prototype.submit = { submit() {
    const form = /** @type {any} */ (this);
    if (!(form.isConnected && takeForm(form))) apply(submit, form, []);
  } }.submit;
  HTMLElement.prototype.click = { click() {
    const link = /** @type {any} */ (this);
    // The events of a link outside of the document do not reach the window.
    if (link.isConnected || !isLink(link) || !take(link.href)) apply(click, link, []);
  } }.click;
}
