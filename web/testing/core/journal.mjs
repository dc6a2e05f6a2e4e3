// What the journal's entries look like to people.

/**
 * An entry of a session's journal. `cursor` counts up; `time` is in milliseconds.
 * @typedef {{cursor: number, time: number, kind: string, page?: string, action?: string, correlationId?: string, cause?: number, data?: any,
 *   status?: string, error?: any, note?: string}} Entry
 */
/**
 * An entry that was not what was waited for, and in what.
 * @typedef {{entry: Entry, differences: string[]}} Miss
 */

/** How long a line of a report gets. */
const lineLimit = 200;

/**
 * A time as the control API reads it; text is as it is.
 * @param {Date | string} time
 */
export function rfc3339(time) {
  return typeof time === "string" ? time : time.toISOString();
}

/**
 * An entry on one line, with the time since `start`.
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
 * The entries after a cursor that came nearest, with what is different about them.
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
