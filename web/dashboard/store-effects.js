// What an entry has changed in the store: each change with what was there before.

import { summary } from "./entry-text.js";

/** @typedef {import("./filter.js").Entry} Entry */

/** How many entries are looked at, at most. */
const LIMIT = 200;

/**
 * A change: what it is about, and its values.
 * @typedef {{what: string, before: string, after: string, cursor: number}} StoreChange
 */

/**
 * The changes of the store that an entry has led to, directly or through others, and its own.
 * @param {Entry[]} entries - of the journal, the oldest first
 * @param {Entry} entry
 * @returns {StoreChange[]}
 */
export function storeEffects(entries, entry) {
  const start = entries.indexOf(entry);
  const led = new Set([entry.cursor]);
  const changes = [];
  for (const each of entries.slice(start)) {
    if (each !== entry && (each.cause === undefined || !led.has(each.cause))) continue;
    led.add(each.cursor);
    if (each.kind === "store") changes.push(change(entries, each));
    if (led.size > LIMIT) break;
  }
  return changes;
}

/**
 * @param {Entry[]} entries
 * @param {Entry} entry
 * @returns {StoreChange}
 */
function change(entries, entry) {
  const id = entry.data?.id;
  const before = entries.slice(0, entries.indexOf(entry)).filter(({ kind, action, data }) => kind === "store" && action === entry.action && data?.id === id).at(-1);
  const about = entry.data?.productIdentifier ?? entry.data?.product ?? before?.data?.productIdentifier ?? "";
  return { what: [entry.action, about].filter(Boolean).join(" "), ...difference(before, entry), cursor: entry.cursor };
}

/**
 * The members that differ. An entry of settings has only those that were changed.
 * @param {Entry | undefined} before
 * @param {Entry} after
 */
function difference(before, after) {
  const { state } = after.data ?? {};
  if (typeof state === "string") return { before: stateOf(before), after: stateOf(after) };
  const names = Object.keys(after.data ?? {}).filter((name) => JSON.stringify(before?.data?.[name]) !== JSON.stringify(after.data?.[name]));
  const part = (/** @type {Entry | undefined} */ entry) => entry?.data
    ? summary({ ...entry, note: "", data: Object.fromEntries(names.filter((name) => name in (entry.data ?? {})).map((name) => [name, entry.data?.[name]])) }) || "nothing"
    : "not in this journal";
  return { before: part(before), after: names.length > 0 ? part(after) : "the same" };
}

/** @param {Entry | undefined} entry */
function stateOf(entry) {
  if (!entry) return "nothing";
  const { state, waitingFor } = entry.data ?? {};
  return waitingFor ? `${state}, waits for ${waitingFor}` : String(state);
}
