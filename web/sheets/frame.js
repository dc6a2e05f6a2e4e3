// What all sheets have in common: a dialog in a shadow root, at the bottom of narrow screens and in the middle of
// wide ones. One sheet shows at a time; the next opens as soon as the previous one is answered.

import { appLine, element, shimHost, stage, stageHost } from "./elements.js";
import { hearEvent, hearToggle, returnFocus } from "./events.js";
import { moveToFront, startWatching, stopWatching } from "./front.js";
import { languageOf } from "./language.js";
import { closeScreen, openScreen } from "./layer.js";
import { letLeave } from "./leaving.js";
import { withWords } from "./load-words.js";
import { watchOverflow } from "./place.js";
import { buttonActions, setShownSheet, sheetButton, shownSheet } from "./shown.js";
import { sheetStyle } from "./style.js";

/** @typedef {import("./shown.js").ShownSheet} ShownSheet */

/**
 * The content of a sheet. The fields of its body become the `fields` of the answer.
 * @typedef {object} SheetParts
 * @property {string} title
 * @property {string | Node} description
 * @property {Node} icon
 * @property {Node[]} body
 * @property {Node} [view] - takes all remaining room, beside or below the text
 * @property {string} [confirm] - the label of the button that approves; without one, the person cannot approve
 * @property {string} [cancel] - the label of the button that cancels; without one, only Escape cancels
 * @property {string} [note] - small print
 * @property {HTMLElement[]} [controls] - more buttons, above the one that cancels
 * @property {HTMLElement} [approve] - which of these buttons approves
 * @property {{name: string, label: string}[]} [approvals] - more buttons that approve, with the names for `fields`
 * @property {(approval?: string) => Record<string, unknown> | undefined} [fields] - returns the fields of the answer instead of the
 *   body's; if it returns undefined, the sheet stays open
 * @property {() => void} [opened] - called when the sheet shows
 * @property {() => void} [closed] - called when the sheet has closed, for any reason
 * @property {(shown: ShownSheet) => void} [approved] - called when the person has approved, after the sheet has closed
 */

/** @typedef {import("../shim/sheets.js").SheetContent} SheetContent */

/**
 * The functions that draw sheets, by the sheets' kinds. Each bridge adds its own.
 * @type {Record<string, (content: any, language: import("./language.js").Language, sheet: SheetContent) => SheetParts>}
 */
export const sheetKinds = {};

/** @type {SheetContent[]} */
let waitingSheets = [];
/** Answered sheets. A host may present them again after a reconnect, before it has read their answers. */
const answeredSheets = new Set();

/**
 * Finds the function that draws a sheet. Sheets of declared bridges have other kinds; their content describes a form.
 * @param {SheetContent} sheet
 * @returns {string}
 */
const screenOf = ({ kind, content }) => content.screen ?? kind;

/** @param {SheetContent} sheet */
export function presentSheet(sheet) {
  const known = answeredSheets.has(sheet.id) || shownSheet?.sheet.id === sheet.id;
  if (known || waitingSheets.some(({ id }) => id === sheet.id)) return moveToFront();
  if (!Object.hasOwn(sheetKinds, screenOf(sheet))) {
    console.warn(`Footbridge cannot show a sheet of the kind "${sheet.kind}". Answer it with the control API.`);
    return;
  }
  waitingSheets.push(sheet);
  showWaitingSheet();
}

/** @param {{id?: string}} sheet - all, without an id */
export function dismissSheet({ id }) {
  waitingSheets = id === undefined ? [] : waitingSheets.filter((sheet) => sheet.id !== id);
  if (id === undefined || shownSheet?.sheet.id === id) closeSheet();
}

/** Shows the next sheet if none is shown, once its words are there. */
function showWaitingSheet() {
  const [next] = waitingSheets;
  // Meanwhile the sheet may have been dismissed, and the next one may be in another language.
  if (next && !shownSheet) withWords(next.locale, () => (next === waitingSheets[0] ? showNextSheet() : showWaitingSheet()));
}

function showNextSheet() {
  const sheet = shownSheet ? undefined : waitingSheets.shift();
  if (!sheet) return;
  const language = languageOf(sheet.locale);
  const host = element("footbridge-sheet", { "data-kind": sheet.kind });
  const root = host.attachShadow({ mode: "open" });
  const parts = sheetKinds[screenOf(sheet)](sheet.content, language, sheet);
  const card = sheetCard(sheet, parts);
  const screen = element("div", {
    class: "screen", role: "dialog", "aria-modal": "true", "aria-labelledby": "title", "aria-describedby": "description",
    lang: language.tag, dir: language.direction, "data-theme": sheet.content.theme ?? "system", tabindex: "-1", popover: "auto",
    // The focus stays where it is, so a screen reader is told that there is a dialog.
  }, card, element("span", { class: "spoken", role: "alert", "data-text": parts.title }));
  // For browsers in which this event leaves no shadow root.
  screen.addEventListener("toggle", hearToggle);
  root.adoptedStyleSheets = [sheetStyle()];
  root.append(screen);
  const { approved, closed } = parts;
  setShownSheet({ sheet, screen, card, host, closed, approved, decline: () => answerSheet(sheet.id, false) });
  stage.documentElement.append(host);
  stageHost.hear = hearEvent;
  stageHost.listen();
  startWatching(renewSheet);
  openScreen();
  // The focus is not on a button: a key press for the page must not buy anything.
  moveToFront();
  parts.opened?.();
}

/**
 * @param {SheetContent} sheet
 * @param {SheetParts} parts
 */
function sheetCard({ id, app }, parts) {
  const { title, description, icon, body, view, confirm, cancel, note, controls = [], approvals = [] } = parts;
  const head = element("div", { class: "head" }, icon, element("div", {}, ...(app ? [appLine(app)] : []),
    element("h2", { id: "title" }, title), element("p", { id: "description" }, description)));
  const content = element("div", { class: "content" }, head, ...body);
  if (note) content.append(element("p", { class: "note" }, note));
  const form = /** @type {HTMLFormElement} */ (element("form", { class: "card" },
    element("span", { class: "grabber" }), content));
  if (view) form.append(view);
  /** @param {string} [approval] */
  const approve = (approval) => {
    const fields = parts.fields ? parts.fields(approval) : Object.fromEntries(new FormData(form));
    if (fields) answerSheet(id, true, fields);
  };
  if (parts.approve) buttonActions.set(parts.approve, () => approve());
  const buttons = element("div", { class: "buttons" }, ...controls);
  // The first button is the one that Enter presses in a field.
  if (confirm) buttons.append(sheetButton(confirm, "primary", () => approve()));
  for (const { name, label } of approvals) buttons.append(sheetButton(label, "plain", () => approve(name)));
  if (cancel) buttons.append(sheetButton(cancel, "plain", () => answerSheet(id, false)));
  form.append(buttons);
  form.addEventListener("submit", (event) => event.preventDefault());
  watchOverflow(content);
  return form;
}

/**
 * @param {string} id
 * @param {boolean} approved
 * @param {Record<string, unknown>} [fields]
 */
function answerSheet(id, approved, fields = {}) {
  if (shownSheet?.sheet.id !== id || answeredSheets.has(id)) return;
  const shown = shownSheet;
  answeredSheets.add(id);
  closeSheet();
  if (approved) shown.approved?.(shown);
  shimHost.answer(id, approved, Object.keys(fields).length ? fields : undefined);
}

/** Removes the sheet from the document at once, because the page may show the same text next. */
function closeSheet() {
  if (!shownSheet) return;
  const { screen, card, closed } = shownSheet;
  removeSheet();
  closed?.();
  letLeave(screen, card);
  showWaitingSheet();
}

/** Makes a removed sheet again, because it may have lost its listeners. */
function renewSheet() {
  const sheet = withdrawSheet();
  if (sheet) waitingSheets.unshift(sheet);
  showWaitingSheet();
}

/** Removes the sheet without an answer. */
function withdrawSheet() {
  if (!shownSheet) return;
  const { sheet, closed } = shownSheet;
  removeSheet();
  closed?.();
  return sheet;
}

/** Takes the sheet out of the document, and returns the focus to the page if the sheet has it. The page hears nothing of this. */
function removeSheet() {
  if (!shownSheet) return;
  const { host } = shownSheet;
  stopWatching();
  closeScreen();
  returnFocus();
  host.remove();
  stageHost.hear = undefined;
  setShownSheet(undefined);
}

// A page that leaves removes its sheets. If it returns from the page cache, the host presents those that are still open.
addEventListener("pagehide", ({ isTrusted }) => {
  if (!isTrusted) return;
  waitingSheets = [];
  withdrawSheet();
});
