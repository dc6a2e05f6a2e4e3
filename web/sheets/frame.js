// What all sheets have in common: a modal dialog in a shadow root, at the bottom of narrow screens and in the middle of
// wide ones. One at a time; the next comes as soon as the one before is answered.

/**
 * What a kind of sheet shows. Fields of its body become the `fields` of the answer.
 * @typedef {object} SheetParts
 * @property {string} title
 * @property {string | Node} description
 * @property {Node} icon
 * @property {Node[]} body
 * @property {Node} [view] - what takes all the room that there is, beside or below the text
 * @property {string} [confirm] - the button that approves; without one there is nothing to approve
 * @property {string} [cancel] - the button that does not; without one only Escape cancels
 * @property {string} [note] - small print
 * @property {HTMLElement[]} [controls] - further buttons, above the one that cancels
 * @property {HTMLElement} [approve] - the one of them that approves
 * @property {() => Record<string, unknown> | undefined} [fields] - the fields of the answer instead of the body's; without
 *   any, the sheet stays
 * @property {() => void} [opened] - called once it is shown
 * @property {() => void} [closed] - called once it is closed, for whatever reason
 */

/**
 * The sheet that is in the page.
 * @typedef {object} ShownSheet
 * @property {SheetContent} sheet
 * @property {HTMLDialogElement} dialog
 * @property {HTMLElement} card - all that is seen of it
 * @property {HTMLElement} host - the element in the page's document
 * @property {() => void} [closed]
 */

/** @type {SheetContent[]} */
let waitingSheets = [];
/** @type {ShownSheet | undefined} */
let shownSheet;
/** Sheets that a reconnected host may present again before it has read their answer. */
const answeredSheets = new Set();
/**
 * What the buttons do. They have no listeners of their own: no event of a sheet gets that far.
 * @type {WeakMap<EventTarget, () => void>}
 */
const buttonActions = new WeakMap();

/** @param {SheetContent} sheet */
function presentSheet(sheet) {
  const known = answeredSheets.has(sheet.id) || shownSheet?.sheet.id === sheet.id;
  if (known || waitingSheets.some(({ id }) => id === sheet.id)) return keepInFront();
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
  if (id === undefined || shownSheet?.sheet.id === id) closeSheet();
}

function showNextSheet() {
  const sheet = shownSheet ? undefined : waitingSheets.shift();
  if (!sheet) return;
  const language = languageOf(sheet.locale);
  const host = element("footbridge-sheet", { "data-kind": sheet.kind });
  const root = host.attachShadow({ mode: "open" });
  const parts = sheetKinds[sheet.kind](sheet.content, language);
  const card = sheetCard(sheet.id, parts);
  const dialog = /** @type {HTMLDialogElement} */ (element("dialog", {
    class: "screen", role: "dialog", "aria-modal": "true", "aria-labelledby": "title", "aria-describedby": "description",
    lang: language.tag, dir: language.direction, "data-theme": sheet.content.theme ?? "system", tabindex: "-1",
  }, card));
  dialog.addEventListener("cancel", (event) => {
    // Closing the browser's picker of files is not closing the sheet.
    if (event.target !== dialog) return;
    event.preventDefault();
    answerSheet(sheet.id, false);
  });
  // A browser may close a dialog by itself, without asking, when nobody has touched the page.
  dialog.addEventListener("close", () => dialog.open || answerSheet(sheet.id, false));
  root.adoptedStyleSheets = [sheetStyle()];
  root.append(dialog);
  shownSheet = { sheet, dialog, card, host, closed: parts.closed };
  stage.documentElement.append(host);
  stageHost.hear = hearEvent;
  stageHost.listen();
  startWatching();
  dialog.showModal();
  // Not a button: a key that was meant for the page must not buy anything.
  dialog.focus();
  parts.opened?.();
}

/**
 * @param {string} id
 * @param {SheetParts} parts
 */
function sheetCard(id, parts) {
  const { title, description, icon, body, view, confirm, cancel, note, controls = [] } = parts;
  const head = element("div", { class: "head" }, icon, element("div", {},
    element("h2", { id: "title" }, title), element("p", { id: "description", dir: "auto" }, description)));
  const content = element("div", { class: "content" }, head, ...body);
  if (note) content.append(element("p", { class: "note" }, note));
  const form = /** @type {HTMLFormElement} */ (element("form", { class: "card" },
    element("span", { class: "grabber" }), content));
  if (view) form.append(view);
  const approve = () => {
    const fields = parts.fields ? parts.fields() : Object.fromEntries(new FormData(form));
    if (fields) answerSheet(id, true, fields);
  };
  if (parts.approve) buttonActions.set(parts.approve, approve);
  const buttons = element("div", { class: "buttons" }, ...controls);
  // The first button is the one that Enter presses in a field.
  if (confirm) buttons.append(sheetButton(confirm, "primary", approve));
  if (cancel) buttons.append(sheetButton(cancel, "plain", () => answerSheet(id, false)));
  form.append(buttons);
  form.addEventListener("submit", (event) => event.preventDefault());
  watchOverflow(content);
  return form;
}

/**
 * @param {string} label
 * @param {"primary" | "plain"} style
 * @param {() => void} [action] - what it does
 */
function sheetButton(label, style, action) {
  const button = element("button", { class: style }, label);
  if (action) buttonActions.set(button, action);
  return button;
}

/**
 * @param {string} id
 * @param {boolean} approved
 * @param {Record<string, unknown>} [fields]
 */
function answerSheet(id, approved, fields = {}) {
  if (shownSheet?.sheet.id !== id || answeredSheets.has(id)) return;
  const shown = shownSheet;
  closeSheet();
  if (approved) expectOutcome(shown);
  shimHost.answer(id, approved, Object.keys(fields).length ? fields : undefined);
}

/** Takes the sheet out of the document at once: what the page shows next may say the same. */
function closeSheet() {
  if (!shownSheet) return;
  const { sheet, dialog, card, host, closed } = shownSheet;
  answeredSheets.add(sheet.id);
  shownSheet = undefined;
  stageHost.hear = undefined;
  stopWatching();
  // This gives the focus back.
  dialog.close();
  host.remove();
  closed?.();
  letLeave(dialog, card);
  showNextSheet();
}
