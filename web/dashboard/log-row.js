// A row of the log in the document: the head of a story, or one of its entries.

import { h } from "./elements.js";
import { isBad, mark, summary, timeOfDay } from "./entry-text.js";
import { durationText, storyText, verb } from "./story-text.js";

/** @typedef {import("./log.js").Row} Row */

/** The columns, each with what its head says. */
const COLUMNS = [["fold", ""], ["time", "time"], ["took", "took"], ["mark", ""], ["words", "what"], ["action", "action"], ["page", "page"], ["cursor", "id"]];

/** The heads of the columns. */
export const makeHeads = () => h("div", { class: "heads", "aria-hidden": "true" }, ...COLUMNS.map(([name, title]) => h("span", { class: name }, title)));

export const makeRow = () => h("div", { class: "entry", role: "treeitem" }, ...COLUMNS.map(([name]) => name === "words"
  ? h("span", { class: "words" }, h("span", { class: "what" }), h("span", { class: "outcome" }))
  : h("span", { class: name, ...(name === "mark" || name === "fold" ? { "aria-hidden": "true" } : {}) })));

/**
 * @param {HTMLElement} element
 * @param {Row} row
 * @param {boolean} isUnfolded
 * @param {boolean} isChosen
 */
export function fillRow(element, row, isUnfolded, isChosen) {
  const { story, entry, isHead } = row;
  element.ariaSelected = String(isChosen);
  const shown = `${entry.cursor} ${isHead} ${isUnfolded} ${isHead ? `${story.version} ${story.matches.length}` : ""}`;
  if (element.dataset.shown === shown) return;
  element.dataset.shown = shown;
  const cursor = String(entry.cursor);
  element.dataset.cursor = cursor;
  element.id = `entry-${cursor}`;
  element.dataset.kind = entry.kind;
  element.setAttribute("aria-level", isHead ? "1" : "2");
  const isFoldable = isHead && story.matches.length > 1;
  if (isFoldable) element.setAttribute("aria-expanded", String(isUnfolded));
  else element.removeAttribute("aria-expanded");
  element.classList.toggle("bad", isHead ? story.isBad : isBad(entry));
  element.classList.toggle("member", !isHead);
  // The head tells the whole story, also if the filter takes only another of its entries.
  const told = isHead ? story.root : entry;
  const { what, outcome } = isHead ? storyText(story) : { what: memberText(row), outcome: summary(entry) };
  const { duration } = story;
  const took = !isHead ? `+${durationText(Math.max(0, entry.time - story.root.time))}` : duration === null ? (story.isCall ? "…" : "") : durationText(duration);
  // A session that has moved has long cursors, of which the ends differ.
  const id = cursor.length > 6 ? `…${cursor.slice(-4)}` : cursor;
  const texts = [isFoldable ? (isUnfolded ? "▾" : "▸") : "", timeOfDay(told.time), took, mark(entry), null, entry.action ?? entry.kind, entry.page ?? "", `#${id}`];
  texts.forEach((text, index) => { if (text !== null) /** @type {Element} */ (element.children[index]).textContent = text; });
  const [whatPart, outcomePart] = /** @type {HTMLElement} */ (element.children[4]).children;
  if (whatPart) whatPart.textContent = what;
  if (outcomePart) outcomePart.textContent = outcome;
}

/**
 * What an entry of a story is, besides its data.
 * @param {Row} row
 */
const memberText = ({ story, entry }) => entry.action === story.root.action ? entry.kind : `${entry.kind} ${verb(entry.action)}`;
