// The sheet that the page shows. One shows at a time.

import { element } from "./elements.js";

/** @typedef {import("../shim/sheets.js").SheetContent} SheetContent */

/**
 * @typedef {object} ShownSheet
 * @property {SheetContent} sheet
 * @property {HTMLElement} screen - covers the window: a popover, or a modal dialog
 * @property {HTMLElement} card - the visible part
 * @property {HTMLElement} host - the element in the page's document
 * @property {() => void} decline - answers that the person does not want it
 * @property {() => void} [closed]
 * @property {(shown: ShownSheet) => void} [approved]
 */

/** @type {ShownSheet | undefined} */
export let shownSheet;

/** @param {ShownSheet | undefined} next */
export function setShownSheet(next) {
  shownSheet = next;
}

/**
 * The actions of the buttons. Buttons have no listeners, because no event of a sheet reaches them.
 * @type {WeakMap<EventTarget, () => void>}
 */
export const buttonActions = new WeakMap();

/**
 * @param {string} label
 * @param {"primary" | "plain"} style
 * @param {() => void} [action] - what it does
 */
export function sheetButton(label, style, action) {
  const button = element("button", { class: style, dir: "auto" }, label);
  if (action) buttonActions.set(button, action);
  return button;
}
