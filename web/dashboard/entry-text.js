// Describes an entry of the journal in one line.

/** @typedef {import("./filter.js").Entry} Entry */

/** What stands before the action of each kind. */
const MARKS = /** @type {Record<string, string>} */ ({
  request: "→", response: "←", event: "⇠", hostRequest: "⇠", pageResponse: "⇢", pageEvent: "⇢",
  sheetOpened: "▤", sheetAnswered: "▤", store: "◆", decision: "◇", page: "▢", control: "⚙", lint: "⚠",
});

/** How long a line of data is, at most. */
const LIMIT = 240;

/** @param {Entry} entry */
export const mark = (entry) => MARKS[entry.kind] ?? "·";

/**
 * The time of day with milliseconds, in UTC as everywhere in Footbridge.
 * @param {number} time
 */
export function timeOfDay(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "–" : date.toISOString().slice(11, 23);
}

/**
 * Date and time.
 * @param {number} time
 */
export function dateAndTime(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "–" : date.toISOString().replace("T", " ").slice(0, 19);
}

/**
 * The details of an entry after its action: its error, its note or its data.
 * @param {Entry} entry
 */
export function summary(entry) {
  if (entry.error) return `${entry.error.code}: ${entry.error.message}`;
  if (entry.note) return entry.note;
  if (entry.kind === "lint") return [entry.data?.title, entry.data?.about].filter(Boolean).join(": ");
  if (!entry.data) return "";
  const text = Object.entries(entry.data).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join("  ");
  return text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text;
}

/**
 * A number with its noun: "1 page", "2 pages", "1,000 entries".
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/**
 * Whether an entry reports a problem.
 * @param {Entry} entry
 */
export const isBad = (entry) => entry.error !== undefined || entry.status === "error" || (entry.kind === "lint" && entry.data?.severity === "error");
