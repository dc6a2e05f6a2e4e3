// The address of the dashboard carries what it shows: #/sessions/ID/PANE?filter=…&row=131, or #/transcript?row=131 for a file.

/**
 * What the dashboard shows. Without a session it is the start page.
 * @typedef {{session: string | null, pane: string, filter: string, row: number | null}} Place
 */

/** The session of a transcript that was opened from a file. */
export const TRANSCRIPT = "transcript";

/** @type {Place} */
export const START = { session: null, pane: "", filter: "", row: null };

/**
 * Reads a fragment. `code` is the one-time code that a printed address has.
 * @param {string} fragment
 * @returns {{place: Place, code: string | null}}
 */
export function readAddress(fragment) {
  const [path = "", query = ""] = fragment.replace(/^#/u, "").split("?", 2);
  const items = new URLSearchParams(query);
  const [, kind, ...rest] = path.split("/").map(decoded);
  const [session, pane = ""] = kind === "sessions" ? rest : kind === TRANSCRIPT ? [TRANSCRIPT, ...rest] : [];
  const row = Number(items.get("row"));
  return {
    place: {
      session: session || null, pane, filter: items.get("filter") ?? "", row: Number.isInteger(row) && row > 0 ? row : null,
    },
    code: items.get("code"),
  };
}

/**
 * The fragment that leads to a place.
 * @param {Partial<Place>} place
 */
export function writeAddress(place) {
  const { session, pane, filter, row } = { ...START, ...place };
  if (!session) return "#/";
  const query = new URLSearchParams();
  if (filter) query.set("filter", filter);
  if (row) query.set("row", String(row));
  const base = session === TRANSCRIPT ? `#/${TRANSCRIPT}` : `#/sessions/${encodeURIComponent(session)}`;
  return base + (pane ? `/${pane}` : "") + (query.toString() ? `?${query}` : "");
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
