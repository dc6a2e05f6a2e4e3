// What all sheets have in common: a modal dialog in a shadow root, at the bottom of narrow screens and in the middle of
// wide ones. One at a time; the next waits until the one before has left.

/**
 * What a kind of sheet shows. Fields of its body become the `fields` of the answer.
 * @typedef {object} SheetParts
 * @property {string} title
 * @property {string | Node} description
 * @property {Node} icon
 * @property {Node[]} body
 * @property {string} [confirm] - the button that approves; without one there is nothing to approve
 * @property {string} [cancel] - the button that does not; without one only Escape cancels
 * @property {string} [note] - small print
 * @property {Node[]} [controls] - further buttons, above the one that cancels; one that submits approves
 * @property {() => Record<string, unknown> | undefined} [fields] - the fields of the answer instead of the body's; without
 *   any, the sheet stays
 * @property {() => void} [opened] - called once it is shown
 * @property {() => void} [closed] - called once it is closed, for whatever reason; perhaps again
 */

/** @type {SheetContent[]} */
let waitingSheets = [];
/**
 * @type {{id: string, sheet: SheetContent, dialog: HTMLDialogElement, isLeaving: boolean, host: Element,
 *   closed?: () => void} | undefined}
 */
let shownSheet;
/** Sheets that a reconnected host may present again before it has read their answer. */
const answeredSheets = new Set();

/** @param {SheetContent} sheet */
function presentSheet(sheet) {
  if (shownSheet?.dialog.isConnected === false) removeSheet();
  const known = answeredSheets.has(sheet.id) || shownSheet?.id === sheet.id;
  if (known || waitingSheets.some(({ id }) => id === sheet.id)) return;
  if (!Object.hasOwn(sheetKinds, sheet.kind)) {
    console.warn(`Footbridge has no screen for a sheet of the kind "${sheet.kind}": answer it with the control API.`);
    return;
  }
  waitingSheets.push(sheet);
  showNextSheet();
}

/** @param {{id?: string}} sheet - all, without an id */
function dismissSheet({ id }) {
  waitingSheets = id === undefined ? [] : waitingSheets.filter((sheet) => sheet.id !== id);
  if (id === undefined || shownSheet?.id === id) closeSheet();
}

function showNextSheet() {
  const sheet = shownSheet ? undefined : waitingSheets.shift();
  if (!sheet) return;
  const host = element("footbridge-sheet");
  const root = host.attachShadow({ mode: "open" });
  const parts = sheetKinds[sheet.kind](sheet.content);
  const dialog = sheetDialog(sheet, parts);
  root.adoptedStyleSheets = [sheetStyle()];
  root.append(dialog);
  keepEvents(host);
  watchFocus(dialog);
  document.documentElement.append(host);
  shownSheet = { id: sheet.id, sheet, dialog, host, isLeaving: false, closed: parts.closed };
  dialog.showModal();
  // Not a button: a key that was meant for the page must not buy anything.
  dialog.focus();
  watchRemoval();
  parts.opened?.();
}

/**
 * @param {SheetContent} sheet
 * @param {SheetParts} parts
 */
function sheetDialog({ id, content }, parts) {
  const { title, description, icon, body, confirm, cancel, note, controls = [] } = parts;
  const form = /** @type {HTMLFormElement} */ (element("form", { class: "card" },
    element("header", {}, icon, element("div", {},
      element("h2", { id: "title" }, title), element("p", { id: "description" }, description))),
    ...body));
  const buttons = element("div", { class: "buttons" }, ...controls);
  if (confirm) buttons.append(element("button", { class: "primary" }, confirm));
  if (cancel) {
    const button = element("button", { type: "button", class: "plain" }, cancel);
    button.addEventListener("click", () => answerSheet(id, false));
    buttons.append(button);
  }
  form.append(buttons);
  if (note) form.append(element("p", { class: "note" }, note));

  const dialog = /** @type {HTMLDialogElement} */ (element("dialog", {
    role: "dialog", "aria-modal": "true", "aria-labelledby": "title", "aria-describedby": "description",
    "data-theme": content.theme ?? "system", tabindex: "-1",
  }, form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = parts.fields ? parts.fields() : Object.fromEntries(new FormData(form));
    if (fields) answerSheet(id, true, fields);
  });
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    answerSheet(id, false);
  });
  // A browser may close a dialog by itself, without asking, when nobody has touched the page.
  dialog.addEventListener("close", () => answerSheet(id, false));
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.preventDefault();
      answerSheet(id, false);
    } else if (event.key === "Tab") {
      keepFocus(event, dialog);
    }
  });
  dialog.addEventListener("wheel", (event) => event.target === dialog && event.preventDefault(), { passive: false });
  return dialog;
}

/**
 * Lets Tab go round inside the dialog.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} dialog
 */
function keepFocus(event, dialog) {
  const stops = /** @type {NodeListOf<HTMLElement>} */ (dialog.querySelectorAll(
    "button:enabled:not([hidden]), input:checked"));
  const [from, to] = event.shiftKey ? [stops[0], stops[stops.length - 1]] : [stops[stops.length - 1], stops[0]];
  const focused = /** @type {ShadowRoot} */ (dialog.getRootNode()).activeElement;
  if (focused === from || !focused || focused === dialog) {
    event.preventDefault();
    to?.focus();
  }
}

/**
 * What happens in a native screen is nothing that a page hears of.
 * @param {HTMLElement} host
 */
function keepEvents(host) {
  const types = ["keydown", "keypress", "keyup", "click", "input", "change", "focusin", "focusout", "mousedown",
    "mouseup", "pointerdown", "pointerup", "touchstart", "touchmove", "touchend", "wheel"];
  for (const type of types) host.addEventListener(type, (event) => event.stopPropagation(), { passive: true });
}

/**
 * @param {string} id
 * @param {boolean} approved
 * @param {Record<string, unknown>} [fields]
 */
function answerSheet(id, approved, fields = {}) {
  if (shownSheet?.id !== id || answeredSheets.has(id)) return;
  answeredSheets.add(id);
  closeSheet();
  shimHost.answer(id, approved, Object.keys(fields).length ? fields : undefined);
}

/** Lets the sheet leave, unless it is on its way out already. */
function closeSheet() {
  if (!shownSheet || shownSheet.isLeaving) return;
  const sheet = shownSheet;
  sheet.isLeaving = true;
  answeredSheets.add(sheet.id);
  sheet.dialog.ariaHidden = "true";
  sheet.dialog.close();
  sheet.closed?.();
  // By what the style sheet animates, not by a timer: timers are the page's, and its tests may have stopped them.
  Promise.allSettled(sheet.dialog.getAnimations({ subtree: true }).map(({ finished }) => finished)).then(() => {
    if (shownSheet === sheet) removeSheet();
    showNextSheet();
  });
}

function removeSheet() {
  removals.disconnect();
  shownSheet?.closed?.();
  shownSheet?.host.remove();
  shownSheet = undefined;
}
