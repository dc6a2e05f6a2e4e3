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
  if (Object.keys(rest).length) words.push(JSON.stringify(rest));
  const text = words.filter(Boolean).join(" ");
  return text.length > lineLimit ? `${text.slice(0, lineLimit - 1)}…` : text;
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
 */
export function missesText(misses, after) {
  if (!misses.length && after) return `The journal has no entry after #${after}.`;
  if (!misses.length) return "The journal of the session is empty: is the browser in the session, and has it opened the page?";
  return ["Nearest misses:", ...misses.flatMap(({ entry, differences }) => [
    `  ${lineText(entry)}`, ...differences.map((difference) => `    ${difference}`),
  ])].join("\n");
}
