// A native sheet stays above the page, whatever the page does. In a browser, the page may open a dialog, a popover or a
// full-screen element above the sheet, or remove the sheet's element when it renders again.

/** Puts the sheet in front again, if something of the page covers it. */
function keepInFront() {
  if (!shownSheet) return;
  const { host, dialog } = shownSheet;
  // A document that is being rewritten has no element until that is done.
  if (!host.isConnected) return stage.documentElement && renewSheet();
  if (stage.activeElement === host) return;
  // The dialog gets the focus, unless another modal dialog is open above it.
  dialog.focus();
  if (stage.activeElement !== host) raiseSheet();
}

/** Makes a removed sheet again, because it may have lost its listeners. */
function renewSheet() {
  const sheet = withdrawSheet();
  if (sheet) waitingSheets.unshift(sheet);
  showNextSheet();
}

/** Removes the sheet without an answer. */
function withdrawSheet() {
  if (!shownSheet) return;
  const { sheet, host, closed } = shownSheet;
  shownSheet = undefined;
  stageHost.hear = undefined;
  stopWatching();
  host.remove();
  closed?.();
  return sheet;
}

// A frame that leaves removes its sheet.
if (stage !== document) addEventListener("pagehide", withdrawSheet);

/** Puts the sheet on top of the browser's top layer. Keeps what the person has filled in. */
function raiseSheet() {
  if (!shownSheet?.host.isConnected) return;
  const { host, dialog } = shownSheet;
  const focused = host.shadowRoot?.activeElement;
  dialog.close();
  dialog.showModal();
  const next = focused instanceof stageWindow.HTMLElement ? focused : dialog;
  next.focus();
}

/** @param {Event} event - a popover or dialog has opened */
function noteOpened(event) {
  const { target } = event;
  if (/** @type {any} */ (event).newState === "open" && target instanceof stageWindow.Element && target.localName !== "details") {
    raiseSheet();
  }
}

function noteFullScreen() {
  if (stage.fullscreenElement) raiseSheet();
}

// Not at once, because a page that removes the sheet again and again must not hang.
const removals = new MutationObserver(() => stageWindow.requestAnimationFrame(() => {
  if (shownSheet?.host.isConnected === false) keepInFront();
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

/** Watches for changes that would cover or block the sheet, until `stopWatching` is called. */
function startWatching() {
  freeSheet();
  changes.observe(stage.documentElement, { attributes: true });
  removals.observe(stage, { childList: true });
  removals.observe(stage.documentElement, { childList: true });
  stageWindow.addEventListener("toggle", noteOpened, true);
  stageWindow.addEventListener("fullscreenchange", noteFullScreen, true);
  // If the page has opened a dialog while the window was in the background, the focus has moved without an event.
  stageWindow.addEventListener("focus", keepInFront);
  stageWindow.visualViewport?.addEventListener("resize", placeSheet);
  stageWindow.visualViewport?.addEventListener("scroll", placeSheet);
}

function stopWatching() {
  removals.disconnect();
  changes.disconnect();
  if (isPageInert) stage.documentElement.inert = true;
  isPageInert = false;
  stageWindow.removeEventListener("toggle", noteOpened, true);
  stageWindow.removeEventListener("fullscreenchange", noteFullScreen, true);
  stageWindow.removeEventListener("focus", keepInFront);
  stageWindow.visualViewport?.removeEventListener("resize", placeSheet);
  stageWindow.visualViewport?.removeEventListener("scroll", placeSheet);
}
