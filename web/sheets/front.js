// A native screen lies over the page whatever the page does meanwhile. Here the page may open a modal dialog of its own over
// the sheet, which takes the sheet out of reach, or throw the sheet's element away with all else that it renders anew.

/** Puts the sheet before the page again, if something of the page is in its way. */
function keepInFront() {
  if (!shownSheet || shownSheet.isLeaving) return;
  const { host, dialog, sheet } = shownSheet;
  if (host.isConnected) {
    if (document.activeElement === host) return;
    // It has the focus and keeps it, unless another modal dialog has been opened over it.
    dialog.focus();
    if (document.activeElement === host) return;
  }
  // What is being written anew has an element of its own again when that is done.
  if (!document.documentElement) return;
  removeSheet();
  waitingSheets.unshift(sheet);
  showNextSheet();
}

/** @param {HTMLDialogElement} dialog */
function watchFocus(dialog) {
  dialog.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && dialog.contains(relatedTarget)) return;
    // The focus is where it goes only after this event.
    queueMicrotask(() => document.hasFocus() && keepInFront());
  });
}

// Not at once: a page that keeps throwing it away must not hang.
const removals = new MutationObserver(() => requestAnimationFrame(() => {
  if (shownSheet?.host.isConnected === false) keepInFront();
}));

/** Watches for the sheet's element to be thrown away, until `removals` is disconnected. */
function watchRemoval() {
  removals.observe(document, { childList: true });
  removals.observe(document.documentElement, { childList: true });
}

// The page may have opened its dialog while the window was not in front: then the focus has moved without an event.
addEventListener("focus", keepInFront);
