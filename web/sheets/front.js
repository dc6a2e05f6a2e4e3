// A native screen lies over the page whatever the page does meanwhile. Here the page may open a dialog, a popover or a
// full-screen element over the sheet, or throw the sheet's element away with all else that it renders anew.

/** Puts the sheet before the page again, if something of the page is in its way. */
function keepInFront() {
  if (!shownSheet) return;
  const { host, dialog } = shownSheet;
  // What is being written anew has an element of its own again when that is done.
  if (!host.isConnected) return stage.documentElement && renewSheet();
  if (stage.activeElement === host) return;
  // It has the focus and keeps it, unless another modal dialog has been opened over it.
  dialog.focus();
  if (stage.activeElement !== host) raiseSheet();
}

/** Makes the sheet anew that was thrown away: it may have lost its listeners. */
function renewSheet() {
  const sheet = withdrawSheet();
  if (sheet) waitingSheets.unshift(sheet);
  showNextSheet();
}

/** Takes the sheet away without an answer. */
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

// A frame that goes takes its sheet along.
if (stage !== document) addEventListener("pagehide", withdrawSheet);

/** Puts the sheet over what the browser shows above all else. What is filled in stays. */
function raiseSheet() {
  if (!shownSheet?.host.isConnected) return;
  const { host, dialog } = shownSheet;
  const focused = host.shadowRoot?.activeElement;
  dialog.close();
  dialog.showModal();
  const next = focused instanceof stageWindow.HTMLElement ? focused : dialog;
  next.focus();
}

/** @param {Event} event - of a popover or dialog that was opened */
function noteOpened(event) {
  const { target } = event;
  if (/** @type {any} */ (event).newState === "open" && target instanceof stageWindow.Element && target.localName !== "details") {
    raiseSheet();
  }
}

function noteFullScreen() {
  if (stage.fullscreenElement) raiseSheet();
}

// Not at once: a page that keeps throwing it away must not hang.
const removals = new MutationObserver(() => stageWindow.requestAnimationFrame(() => {
  if (shownSheet?.host.isConnected === false) keepInFront();
}));

/** Whether the page has made all of itself inert, and with it the sheet. */
let isPageInert = false;

/** Frees the sheet from what the page does to all that is in its stage. */
function freeSheet() {
  const page = stage.documentElement;
  if (page.inert) {
    isPageInert = true;
    page.inert = false;
  }
  placeSheet();
}

const changes = new MutationObserver(freeSheet);

/** Watches for what would take the sheet out of reach, until `stopWatching` is called. */
function startWatching() {
  freeSheet();
  changes.observe(stage.documentElement, { attributes: true });
  removals.observe(stage, { childList: true });
  removals.observe(stage.documentElement, { childList: true });
  stageWindow.addEventListener("toggle", noteOpened, true);
  stageWindow.addEventListener("fullscreenchange", noteFullScreen, true);
  // The page may have opened its dialog while the window was not in front: then the focus has moved without an event.
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
