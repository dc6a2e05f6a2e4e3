// A native sheet stays above the page, whatever the page does. In a browser, the page may open a dialog, a popover or a
// full-screen element above the sheet, or remove the sheet's element when it renders again.

import { stage, stageWindow } from "./elements.js";
import { isInFront, raiseSheet } from "./layer.js";
import { placeSheet } from "./place.js";
import { shownSheet } from "./shown.js";

/** Makes a removed sheet again. */
let renew = () => {};

/** Puts the sheet in front again, if something of the page covers it. */
export function moveToFront() {
  if (!shownSheet) return;
  const { host } = shownSheet;
  // A document that is being rewritten has no element until that is done.
  if (!host.isConnected) return stage.documentElement && renew();
  if (!isInFront()) raiseSheet();
  takeKeys();
}

/** Takes the focus from a frame of the page, which would get the keys, and from a text field with the device's keyboard below it. */
function takeKeys() {
  const focused = stage.activeElement;
  const isField = focused instanceof stageWindow.HTMLElement && (focused.isContentEditable || focused.matches("input, textarea"));
  if (focused instanceof stageWindow.HTMLIFrameElement || isField && stageWindow.matchMedia("(pointer: coarse)").matches) {
    shownSheet?.screen.focus();
  }
}

/** @param {Event} event - a popover or dialog has opened */
function noteOpened(event) {
  const { target } = event;
  if (target !== shownSheet?.host && /** @type {ToggleEvent} */ (event).newState === "open" && target instanceof stageWindow.Element && target.localName !== "details") {
    raiseSheet();
  }
}

/** The window may have lost the focus to a frame of the page. */
function noteBlur() {
  queueMicrotask(takeKeys);
}

function noteFullScreen() {
  if (stage.fullscreenElement) raiseSheet();
}

// Not at once, because a page that removes the sheet again and again must not hang.
const removals = new MutationObserver(() => stageWindow.requestAnimationFrame(() => {
  if (shownSheet?.host.isConnected === false) moveToFront();
}));

/** Whether the page has made its root element inert, and with it the sheet. */
let isPageInert = false;

/** Protects the sheet from what the page does to its root element. */
function freeSheet() {
  const page = stage.documentElement;
  if (page.inert) {
    isPageInert = true;
    page.inert = false;
  }
  placeSheet();
}

const changes = new MutationObserver(freeSheet);

/**
 * Watches for changes that would cover or block the sheet, until `stopWatching` is called.
 * @param {() => void} renewSheet - makes a removed sheet again
 */
export function startWatching(renewSheet) {
  renew = renewSheet;
  freeSheet();
  changes.observe(stage.documentElement, { attributes: true });
  removals.observe(stage, { childList: true });
  removals.observe(stage.documentElement, { childList: true });
  stageWindow.addEventListener("toggle", noteOpened, true);
  stageWindow.addEventListener("fullscreenchange", noteFullScreen, true);
  // If the page has opened a dialog while the window was in the background, the focus has moved without an event.
  stageWindow.addEventListener("focus", moveToFront);
  stageWindow.addEventListener("blur", noteBlur);
  stageWindow.visualViewport?.addEventListener("resize", placeSheet);
  stageWindow.visualViewport?.addEventListener("scroll", placeSheet);
}

export function stopWatching() {
  removals.disconnect();
  changes.disconnect();
  if (isPageInert) stage.documentElement.inert = true;
  isPageInert = false;
  stageWindow.removeEventListener("toggle", noteOpened, true);
  stageWindow.removeEventListener("fullscreenchange", noteFullScreen, true);
  stageWindow.removeEventListener("focus", moveToFront);
  stageWindow.removeEventListener("blur", noteBlur);
  stageWindow.visualViewport?.removeEventListener("resize", placeSheet);
  stageWindow.visualViewport?.removeEventListener("scroll", placeSheet);
}
