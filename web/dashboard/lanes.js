// The bars of the timeline. Each entry is processed once, so a long log costs no more for a new entry than a short one.

/** @typedef {import("./filter.js").Entry} Entry */

/**
 * A bar, from the number of one entry to that of another. The end is infinite while the bar is open.
 * @typedef {{from: number, to: number, tone: string}} Bar
 */

/** How many lanes calls and transactions have, at most. */
const CALL_LANES = 3;
const TRANSACTION_LANES = 4;

/** The tone of each state of a transaction; others wait. */
const STATES = /** @type {Record<string, string>} */ ({ purchased: "good", restored: "good", failed: "bad" });

export class Lanes {
  /** The number of the first entry that counts, and the one after the last. */
  first = 0;
  end = 0;
  /** @type {Bar[][]} */
  calls = [[]];
  /** @type {Bar[]} */
  sheets = [];
  /** @type {Bar[]} */
  clock = [];
  /**
   * The open bars.
   * @type {Map<string, Bar>}
   */
  #open = new Map();
  /**
   * The bars of each transaction.
   * @type {Map<string, Bar[]>}
   */
  #queue = new Map();

  /** One lane for each of the latest transactions. */
  get transactions() { return [...this.#queue.values()].slice(-TRANSACTION_LANES); }

  get callCount() { return this.calls.reduce((sum, lane) => sum + lane.length, 0); }

  /** @param {Entry[]} entries */
  add(entries) { for (const entry of entries) this.#take(entry, this.end++); }

  /**
   * Removes the oldest entries.
   * @param {number} count
   */
  forget(count) {
    if (count === 0) return;
    this.first += count;
    // Otherwise, calls without an answer would accumulate.
    const remains = (/** @type {Bar} */ { from, to }) => to === Infinity ? from >= this.first : to > this.first;
    for (const [key, bar] of this.#open) if (!remains(bar)) this.#open.delete(key);
    this.calls = this.calls.map((lane) => lane.filter(remains));
    this.sheets = this.sheets.filter(remains);
    this.clock = this.clock.filter(remains);
    for (const [id, bars] of this.#queue) if (!bars.some(remains)) this.#queue.delete(id);
  }

  /**
   * @param {Entry} entry
   * @param {number} at
   */
  #take(entry, at) {
    const { kind, action, data } = entry;
    switch (kind) {
      case "request": case "hostRequest":
        return this.#addCall(this.#begin(`${kind} ${entry.page} ${entry.correlationId}`, at, kind === "request" ? "call" : "host"));
      case "response": return this.#finish(`request ${entry.page} ${entry.correlationId}`, at, entry.error ? "bad" : "");
      case "pageResponse": return this.#finish(`hostRequest ${entry.page} ${entry.correlationId}`, at);
      case "event": case "pageEvent": return this.#addCall({ from: at, to: at + 1, tone: "event" });
      case "sheetOpened": return void this.sheets.push(this.#begin(`sheet ${data?.id}`, at, "sheet"));
      case "sheetAnswered": return this.#finish(`sheet ${data?.id}`, at);
      case "control": return void (action?.includes("/clock") && this.clock.push({ from: at, to: at + 1, tone: "clock" }));
      case "store": return void (action === "transaction" && this.#takeTransaction(String(data?.id), String(data?.state), at));
      default:
    }
  }

  /**
   * @param {string} id
   * @param {string} state
   * @param {number} at
   */
  #takeTransaction(id, state, at) {
    this.#finish(`transaction ${id}`, at);
    if (state === "removed") return;
    const bars = this.#queue.get(id) ?? [];
    bars.push(this.#begin(`transaction ${id}`, at, STATES[state] ?? "wait"));
    this.#queue.set(id, bars);
  }

  /**
   * Puts a bar into a free lane, if there is one.
   * @param {Bar} bar
   */
  #addCall(bar) {
    let lane = this.calls.find((others) => (others.at(-1)?.to ?? 0) <= bar.from);
    if (!lane && this.calls.length < CALL_LANES) this.calls.push(lane = []);
    (lane ?? /** @type {Bar[]} */ (this.calls.at(-1))).push(bar);
  }

  /**
   * @param {string} key
   * @param {number} from
   * @param {string} tone
   */
  #begin(key, from, tone) {
    const bar = { from, to: Infinity, tone };
    this.#open.set(key, bar);
    return bar;
  }

  /**
   * @param {string} key
   * @param {number} at
   * @param {string} tone
   */
  #finish(key, at, tone = "") {
    const bar = this.#open.get(key);
    if (!bar) return;
    bar.to = at + 1;
    if (tone) bar.tone = tone;
    this.#open.delete(key);
  }
}
