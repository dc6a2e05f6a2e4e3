// The page does not get the events of a native sheet, and cannot stop them. The shim takes them before the page's listeners
// and passes them to this script; none reaches an element of the sheet. Default actions of the browser, such as the choice of a
// row, still happen.

import { stage, stageWindow } from "./elements.js";
import { keepInFront } from "./front.js";
import { buttonActions, shownSheet } from "./shown.js";
import { hearPointer } from "./swipe.js";

/** How far a key scrolls: a part of the visible height, or everything. */
const scrollKeys = new Map(Object.entries({
  PageDown: 0.9, PageUp: -0.9, " ": 0.9, ArrowDown: 0.15, ArrowUp: -0.15, Home: -Infinity, End: Infinity,
}));

/**
 * Handles an event. Keys belong to the sheet, wherever the focus is.
 * @param {Event} event
 * @param {EventTarget[]} path
 * @returns {boolean} whether the event belonged to the sheet
 */
export function hearEvent(event, path) {
  if (!shownSheet) return false;
  const isKey = event.isTrusted && event instanceof stageWindow.KeyboardEvent;
  if (!isKey && !path.includes(shownSheet.host)) return false;
  switch (event.type) {
    case "click":
      pressButton(event);
      break;
    case "pointerdown":
    case "pointermove":
    case "pointerup":
      hearPointer(/** @type {PointerEvent} */ (event));
      break;
    case "keydown":
      hearKey(/** @type {KeyboardEvent} */ (event), path[0]);
      break;
    case "focusout":
      // The focus moves only after this event.
      queueMicrotask(() => stage.hasFocus() && keepInFront());
  }
  return true;
}

/** @param {Event} event */
function pressButton(event) {
  const button = event.composedPath().find((node) => buttonActions.has(node));
  if (!button) return;
  event.preventDefault();
  buttonActions.get(button)?.();
}

/**
 * @param {KeyboardEvent} event
 * @param {EventTarget} origin
 */
function hearKey(event, origin) {
  if (!shownSheet) return;
  const { key } = event;
  const { decline, dialog } = shownSheet;
  if (key === "Escape") {
    event.preventDefault();
    decline();
  } else if (key === "Tab") {
    keepFocus(event, dialog);
  } else {
    const part = scrollKeys.get(key);
    const isFields = origin instanceof stageWindow.HTMLInputElement || origin instanceof stageWindow.HTMLButtonElement && key === " ";
    if (part === undefined || isFields || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const content = dialog.querySelector(".content");
    content?.scrollBy({ top: Math.max(-1e6, Math.min(1e6, part * content.clientHeight)) });
  }
}

/**
 * Keeps Tab inside the dialog.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} dialog
 */
function keepFocus(event, dialog) {
  const stops = [.../** @type {NodeListOf<HTMLElement>} */ (dialog.querySelectorAll("button, input, [tabindex='0']"))].filter(isStop);
  const focused = /** @type {ShadowRoot} */ (dialog.getRootNode()).activeElement;
  const [from, to] = event.shiftKey ? [stops[0], stops[stops.length - 1]] : [stops[stops.length - 1], stops[0]];
  if (focused && focused !== dialog && focused !== from) return;
  event.preventDefault();
  to?.focus();
}

/**
 * Whether Tab stops at an element: it is visible, and of a choice it is the chosen one, if there is one.
 * @param {HTMLElement} element
 */
function isStop(element) {
  if (!element.getClientRects().length || /** @type {HTMLInputElement} */ (element).disabled) return false;
  if (!(element instanceof stageWindow.HTMLInputElement) || element.type !== "radio" || element.checked) return true;
  const others = /** @type {HTMLFormElement} */ (element.form).elements.namedItem(element.name);
  return !(others instanceof stageWindow.RadioNodeList && others.value);
}
