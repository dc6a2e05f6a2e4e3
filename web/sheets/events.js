// The page does not get the events of a native sheet, and cannot stop them. The shim takes them before the page's listeners
// and passes them to this script; none reaches an element of the sheet. Default actions of the browser, such as the choice of a
// row, still happen.

import { stage, stageWindow } from "./elements.js";
import { moveToFront } from "./front.js";
import { buttonActions, shownSheet } from "./shown.js";
import { hearPointer } from "./swipe.js";

/** How far a key scrolls: a part of the visible height, or everything. */
const scrollKeys = new Map(Object.entries({
  PageDown: 0.9, PageUp: -0.9, " ": 0.9, ArrowDown: 0.15, ArrowUp: -0.15, Home: -Infinity, End: Infinity,
}));

/**
 * Where the page's focus was when the sheet got it.
 * @type {WeakRef<HTMLElement> | undefined}
 */
let focusedBefore;

/** Returns the focus to the page, if the sheet has taken it. */
export function returnFocus() {
  const element = focusedBefore?.deref();
  focusedBefore = undefined;
  if (stage.activeElement === shownSheet?.host || stage.activeElement === stage.body) element?.focus({ preventScroll: true });
}

/**
 * Handles an event. Keys belong to the sheet, wherever the focus is.
 * @param {Event} event
 * @param {EventTarget[]} path
 * @returns {boolean} whether the event belonged to the sheet
 */
export function hearEvent(event, path) {
  if (!shownSheet) return false;
  const { host } = shownSheet;
  const isInside = path.includes(host);
  if (event instanceof stageWindow.FocusEvent) {
    const { relatedTarget } = event;
    if (isInside && event.type === "focusin" && relatedTarget instanceof stageWindow.HTMLElement && relatedTarget !== host) {
      focusedBefore = new WeakRef(relatedTarget);
    }
    // The page's element does not hear that the sheet takes its focus, nor that it gives it back.
    return isInside || relatedTarget === host;
  }
  const isKey = event.isTrusted && (event instanceof stageWindow.KeyboardEvent || event.type === "beforeinput");
  if (!isKey && !isInside) return false;
  switch (event.type) {
    case "click":
      pressButton(event);
      break;
    case "mousedown":
      // The page keeps the focus until the person types in the sheet, or reaches it with a key.
      if (stage.activeElement !== host && !isTextField(path[0])) event.preventDefault();
      break;
    case "pointerdown":
    case "pointermove":
    case "pointerup":
      hearPointer(/** @type {PointerEvent} */ (event));
      break;
    case "keydown":
      hearKey(/** @type {KeyboardEvent} */ (event), path[0]);
      break;
    case "toggle":
      hearToggle(event);
  }
  if (isKey && !isInside && !isShortcut(event)) event.preventDefault();
  return true;
}

/** @param {Event} event - the page may have opened something that closes other popovers */
export function hearToggle(event) {
  if (/** @type {ToggleEvent} */ (event).newState === "closed") moveToFront();
}

/** @param {EventTarget | undefined} target */
const isTextField = (target) => target instanceof stageWindow.HTMLInputElement && !["radio", "checkbox", "file"].includes(target.type);

/**
 * Whether keys are for the browser.
 * @param {Event} event
 */
const isShortcut = (event) => event instanceof stageWindow.KeyboardEvent
  && (event.altKey || event.ctrlKey || event.metaKey || /^F\d+$/.test(event.key));

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
  // In WebKitGTK, Tab has no key while Shift is down.
  const key = event.key === "Unidentified" ? event.code : event.key;
  const { decline, screen } = shownSheet;
  if (key === "Escape") {
    event.preventDefault();
    decline();
  } else if (key === "Tab") {
    holdFocus(event, screen);
  } else {
    const part = scrollKeys.get(key);
    const isFields = origin instanceof stageWindow.HTMLInputElement || origin instanceof stageWindow.HTMLButtonElement && key === " ";
    if (part === undefined || isFields || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const content = screen.querySelector(".content");
    content?.scrollBy({ top: Math.max(-1e6, Math.min(1e6, part * content.clientHeight)) });
  }
}

/**
 * Keeps Tab inside the sheet.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} screen
 */
function holdFocus(event, screen) {
  const stops = [.../** @type {NodeListOf<HTMLElement>} */ (screen.querySelectorAll("button, input, [tabindex='0']"))].filter(isStop);
  const focused = /** @type {ShadowRoot} */ (screen.getRootNode()).activeElement;
  const [from, to] = event.shiftKey ? [stops[0], stops[stops.length - 1]] : [stops[stops.length - 1], stops[0]];
  if (focused && focused !== screen && focused !== from) return;
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
