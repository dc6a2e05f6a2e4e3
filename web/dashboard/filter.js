// The filter of the log: an entry must match all of its words. `kind:request action:purchase -text "two words" row:12-40`.

import { isBad } from "./entry-text.js";

/**
 * An entry of the journal, with its text for searches.
 * @typedef {object} Entry
 * @property {number} cursor
 * @property {number} time - in milliseconds since 1970, on the session's clock
 * @property {string} kind
 * @property {string} [action]
 * @property {string} [page]
 * @property {number} [cause]
 * @property {string} [correlationId]
 * @property {Record<string, any>} [data]
 * @property {string} [status]
 * @property {{code: string, message: string, recoverable: boolean}} [error]
 * @property {string} [note]
 * @property {string} text - the JSON in small letters
 */

/** @typedef {(entry: Entry) => boolean} Predicate */

/**
 * Reads a filter. An empty one takes every entry.
 * @param {string} text
 * @returns {Predicate}
 */
export function readFilter(text) {
  const tests = words(text).map(test);
  if (tests.length === 0) return () => true;
  return (entry) => tests.every((each) => each(entry));
}

/**
 * Returns the filter with the word of this name replaced, or removed if `value` is empty.
 * @param {string} text
 * @param {string} name
 * @param {string} value
 */
export function withWord(text, name, value) {
  const others = words(text).filter((word) => !word.toLowerCase().startsWith(`${name}:`));
  return [...others, ...(value ? [`${name}:${value}`] : [])].join(" ");
}

/**
 * Returns the filter without one word.
 * @param {string} text
 * @param {string} word
 */
export function withoutWord(text, word) { return words(text).filter((each) => each !== word).join(" "); }

/** @param {string} text */
const words = (text) => text.match(/-?(?:\w+:)?"[^"]*"?|\S+/gu) ?? [];

/**
 * @param {string} word
 * @returns {Predicate}
 */
function test(word) {
  // Nothing is wanted yet: a filter that someone types.
  if (/^-\w+:$/u.test(word)) return () => true;
  if (word.startsWith("-") && word.length > 1) {
    const other = test(word.slice(1));
    return (entry) => !other(entry);
  }
  const [, name, rest] = /^(\w+):(.*)$/su.exec(word) ?? [];
  const wanted = unquoted(rest ?? word).toLowerCase();
  switch (name?.toLowerCase()) {
    // `sheet` means sheetOpened and sheetAnswered; `request` does not mean hostRequest.
    case "kind": return oneOf(wanted.replace(/,|$/gu, "*$&"), (entry) => entry.kind);
    case "action": return oneOf(wanted, (entry) => entry.action ?? "");
    case "page": return same(wanted, (entry) => entry.page ?? "");
    case "status": return same(wanted, (entry) => entry.error ? "error" : entry.status ?? "");
    case "id": return same(wanted, (entry) => entry.correlationId ?? "");
    case "cause": return same(wanted, (entry) => String(entry.cause ?? ""));
    case "row": return range(wanted);
    case "is": return wanted === "error" ? isBad : () => wanted === "";
    default: {
      const part = unquoted(word).toLowerCase();
      return (entry) => entry.text.includes(part);
    }
  }
}

/** @param {string} text */
const unquoted = (text) => text.replace(/^"|"$/gu, "");

/**
 * Whether a value contains one of the parts between commas. `*` stands for any letters; then the whole value must match.
 * @param {string} wanted
 * @param {(entry: Entry) => string} value
 * @returns {Predicate}
 */
function oneOf(wanted, value) {
  const tests = wanted.split(",").filter((part) => part.replaceAll("*", "")).map((part) => {
    if (!part.includes("*")) return (/** @type {string} */ text) => text.includes(part);
    const pattern = new RegExp(`^${part.split("*").map((piece) => piece.replace(/[\\^$.|?+()[\]{}]/gu, "\\$&")).join(".*")}$`, "u");
    return (/** @type {string} */ text) => pattern.test(text);
  });
  return (entry) => tests.length === 0 || tests.some((each) => each(value(entry).toLowerCase()));
}

/**
 * @param {string} wanted
 * @param {(entry: Entry) => string} value
 * @returns {Predicate}
 */
function same(wanted, value) {
  const values = new Set(wanted.split(","));
  return (entry) => wanted === "" || values.has(value(entry).toLowerCase());
}

/**
 * @param {string} wanted - `12`, `12-40` or `12-`
 * @returns {Predicate}
 */
function range(wanted) {
  const [first = "", last] = wanted.split("-", 2);
  const from = Number(first);
  const to = last === undefined ? from : last === "" ? Infinity : Number(last);
  return ({ cursor }) => wanted === "" || (cursor >= from && cursor <= to);
}
