// The place of a sheet in the browser's top layer. The page must not notice a sheet: so it is a popover and not a modal dialog, which would
// close the page's popovers, take the focus, and make the page inert. As a child of the page's topmost popover, it closes none, and a click
// in it does not dismiss one either.

import { element, stage, stageWindow } from "./elements.js";
import { setShownSheet, shownSheet } from "./shown.js";

/**
 * Takes the close requests of the device, such as the gesture for going back.
 * @type {any}
 */
let closeWatcher;

/** The page's open popover that closes when another opens; undefined if there is none. */
const pagesPopover = () => [.../** @type {NodeListOf<HTMLElement>} */ (stage.querySelectorAll(":popover-open"))]
  .filter(({ popover }) => popover !== "manual").pop();

/** Whether a person can click on the sheet: nothing of the page is above it, and no modal dialog of the page makes it inert. */
export function isInFront() {
  if (!shownSheet) return false;
  const { left, top, width, height } = shownSheet.screen.getBoundingClientRect();
  return stage.elementFromPoint(left + width / 2, top + height / 2) === shownSheet.host;
}

/** Puts the sheet on top of everything. Keeps what the person has filled in, and the focus in it. */
export function raiseSheet() {
  if (!shownSheet?.host.isConnected) return;
  const focused = shownSheet.host.shadowRoot?.activeElement;
  closeScreen();
  openScreen();
  if (focused instanceof stageWindow.HTMLElement) focused.focus();
}

/** Opens the screen of the shown sheet. */
export function openScreen() {
  if (!shownSheet) return;
  const { decline, screen } = shownSheet;
  if (screen instanceof stageWindow.HTMLDialogElement) {
    screen.showModal();
    screen.focus();
  } else if (!screen.showPopover) {
    becomeDialog();
  } else {
    screen.showPopover({ source: pagesPopover() });
    if (!isInFront()) becomeDialog();
  }
  const { CloseWatcher } = /** @type {any} */ (stageWindow);
  if (!CloseWatcher || closeWatcher) return;
  closeWatcher = new CloseWatcher();
  closeWatcher.onclose = decline;
}

/** Takes the screen of the shown sheet out of the top layer. */
export function closeScreen() {
  closeWatcher?.destroy();
  closeWatcher = undefined;
  const screen = shownSheet?.screen;
  if (screen instanceof stageWindow.HTMLDialogElement) screen.close();
  else screen?.hidePopover?.();
}

/** Makes the screen a modal dialog: nothing else is above a modal dialog of the page. */
function becomeDialog() {
  if (!shownSheet) return;
  const { decline, screen } = shownSheet;
  const dialog = /** @type {HTMLDialogElement} */ (element("dialog", {}, ...screen.childNodes));
  for (const { name, value } of screen.attributes) if (name !== "popover") dialog.setAttribute(name, value);
  dialog.style.cssText = screen.style.cssText;
  dialog.addEventListener("cancel", (event) => {
    // A person who closes the browser's file picker does not close the sheet.
    if (event.target !== dialog) return;
    event.preventDefault();
    decline();
  });
  // A browser may close a dialog by itself if nobody has touched the page.
  dialog.addEventListener("close", () => {
    if (!dialog.open && shownSheet?.screen === dialog) decline();
  });
  screen.replaceWith(dialog);
  setShownSheet({ ...shownSheet, screen: dialog });
  dialog.showModal();
  dialog.focus();
}
