// Entries of the journal as text for people.

/**
 * An entry of a session's journal. `cursor` counts up; `time` is in milliseconds.
 * @typedef {{cursor: number, time: number, kind: string, page?: string, action?: string, correlationId?: string, cause?: number, data?: any,
 *   status?: string, error?: any, note?: string}} Entry
 */
/**
 * An entry that did not match, and its differences from what was expected.
 * @typedef {{entry: Entry, differences: string[]}} Miss
 */

/**
 * A finding of the linter. `call` and `entry` are cursors of the journal; `expected` says whether the test expects it.
 * @typedef {{rule: string, severity: "error" | "warning" | "information", title: string, about: string, contract: string, section: string,
 *   advice: string, page?: string, call?: number, entry: number, expected: boolean}} Finding
 */

/** The maximum length of a line of a report, in characters. */
const lineLimit = 200;
/** The members that say most about an entry. They stand first, because long lines are cut. */
const leading = ["productIdentifier", "state", "transactionState", "waitingFor", "error"];
/** What a person should check if no page has opened. */
const noPage = "is the browser in the session, and has it opened the page?";

/**
 * Formats a time for the control API; returns text unchanged.
 * @param {Date | string} time
 */
export function rfc3339(time) {
  return typeof time === "string" ? time : time.toISOString();
}

/**
 * Formats an entry on one line, with its time since `start`.
 * @param {Entry} entry
 * @param {number} [start]
 */
export function lineText({ cursor, time, kind, action, page: _page, correlationId: _id, ...rest }, start) {
  const words = [`#${cursor}`, start === undefined ? "" : `${time < start ? "" : "+"}${((time - start) / 1000).toFixed(3)}`, kind, action ?? ""];
  if (Object.keys(rest).length) words.push(JSON.stringify(leadingFirst(rest)));
  const text = words.filter(Boolean).join(" ");
  return text.length > lineLimit ? `${text.slice(0, lineLimit - 1)}…` : text;
}

/**
 * Orders members: those that say most, others with a short value, those without a value, and then those that have members of their own.
 * @param {any} value
 * @returns {any}
 */
function leadingFirst(value) {
  if (Array.isArray(value)) return value.map(leadingFirst);
  if (typeof value !== "object" || value === null) return value;
  /** @param {[string, unknown]} member */
  const place = ([name, member]) => {
    if (typeof member === "object") return leading.length + (member === null ? 1 : 2);
    return leading.includes(name) ? leading.indexOf(name) : leading.length;
  };
  const members = Object.entries(value).sort((one, other) => place(one) - place(other));
  return Object.fromEntries(members.map(([name, member]) => [name, leadingFirst(member)]));
}

/**
 * Formats a finding of the linter on one line, with the rule of the contract.
 * @param {Finding} finding
 */
export function findingText({ about, advice, call, contract, rule, section, severity }) {
  return `${rule} ${severity}: ${about}${call === undefined ? "" : ` (#${call})`} ${contract} (${section}) ${advice}`;
}

/**
 * Lists the entries after a cursor that came closest, and how they differ.
 * @param {Miss[]} misses
 * @param {number} after
 * @param {boolean} hasPage - whether a page has ever opened
 */
export function missesText(misses, after, hasPage) {
  if (!misses.length && !after) return `The journal of the session is empty: ${noPage}`;
  const parts = misses.flatMap(({ entry, differences }) => [`  ${lineText(entry)}`, ...differences.map((difference) => `    ${difference}`)]);
  return [
    misses.length ? "Nearest misses:" : `The journal has no entry after #${after}.`, ...parts, ...(hasPage ? [] : [`No page has opened: ${noPage}`]),
  ].join("\n");
}
