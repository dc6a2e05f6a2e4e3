// Checks of a page's calls: which ones it has made, how often, and in which order.

import { ExpectationError } from "./errors.mjs";
import { lineText } from "./journal.mjs";

/** @typedef {import("./journal.mjs").Entry} Entry */
/** @typedef {import("./journal.mjs").Miss} Miss */
/** @typedef {import("./session.mjs").CoreSession} CoreSession */
/** @typedef {import("./session.mjs").Patience} Patience */

/** What has happened in a session, by the entries of its journal: how often, and in which order. */
export class Occurrences {
  #after;
  #until;

  /**
   * @param {CoreSession} session
   * @param {{kind: string, action?: string | object, data?: object}} until
   * @param {number} after
   * @param {string} text - describes them for people
   * @param {string} verb - what happens to them, for errors
   */
  constructor(session, until, after, text, verb) {
    this.session = session;
    this.#after = after;
    this.#until = until;
    this.text = text;
    this.verb = verb;
  }

  /** Describes them for people. */
  toString() {
    return this.text;
  }

  /**
   * Waits for this many, and returns their entries. Fails if there are fewer, or more by then.
   * @param {number} count
   * @param {Patience} patience
   */
  async exactly(count, { timeout = this.session.timeout } = {}) {
    const { found, misses } = await this.#find(count, timeout);
    if (found.length !== count) throw await this.#failure(`exactly ${timesText(count)}`, found, found.length < count ? misses : [], timeout);
    return found;
  }

  /**
   * Waits for at least this many, and returns the entries of all that have come.
   * @param {number} count
   * @param {Patience} patience
   */
  async atLeast(count, { timeout = this.session.timeout } = {}) {
    const { found, misses } = await this.#find(count, timeout);
    if (found.length < count) throw await this.#failure(`at least ${timesText(count)}`, found, misses, timeout);
    return found;
  }

  /**
   * Fails if there is one.
   * @param {{during?: number}} options - how many milliseconds to watch as well: it fails as soon as one comes
   */
  async never({ during = 0 } = {}) {
    const entry = await this.next(this.#after, during).catch(noneInTime);
    if (!(entry instanceof ExpectationError)) throw new ExpectationError(`${this} was ${this.verb}; it should never be ${this.verb}.\n  ${lineText(entry)}`);
  }

  /**
   * Waits for the first one after the entry with this cursor.
   * @param {number} after
   * @param {number} timeout
   */
  async next(after, timeout) {
    return this.session.waitFor(this.#until, { after: Math.max(after, this.#after), timeout });
  }

  /**
   * Returns all of them, once there are `count`, and the entries that came closest to one more.
   * @param {number} count
   * @param {number} timeout
   */
  async #find(count, timeout) {
    const deadline = performance.now() + timeout;
    for (;;) {
      const answer = await this.session.request("POST", "/journal/count", { of: this.#until, after: this.#after });
      /** @type {{entries: Entry[], nearestMisses: Miss[]}} */
      const { entries: found, nearestMisses: misses } = answer;
      const left = deadline - performance.now();
      if (found.length >= count || left <= 0) return { found, misses };
      const entry = await this.next(found.at(-1)?.cursor ?? 0, left).catch(noneInTime);
      if (entry instanceof ExpectationError) return { found, misses: entry.misses };
    }
  }

  /**
   * @param {string} wanted
   * @param {Entry[]} found
   * @param {Miss[]} misses
   * @param {number} timeout
   */
  async #failure(wanted, found, misses, timeout) {
    const within = !found.length || misses.length ? ` within ${timeout} ms` : "";
    const happened = found.length ? `${this.verb} ${timesText(found.length)}` : `never ${this.verb}`;
    return new ExpectationError([
      `${this} was ${happened}${within}; it should be ${this.verb} ${wanted}.`,
      ...found.map((entry) => `  ${lineText(entry)}`),
      ...(misses.length || !found.length ? [await this.session.missesText(misses, this.#after)] : []),
    ].join("\n"), misses);
  }
}

/** The calls of a session's pages with this action, and with these members of their data. */
export class Calls extends Occurrences {
  /**
   * @param {CoreSession} session
   * @param {string | object} action - a name, or a pattern
   * @param {object | undefined} data
   * @param {number} after
   */
  constructor(session, action, data, after) {
    const text = (typeof action === "string" ? action : JSON.stringify(action)) + (data ? ` with ${JSON.stringify(data)}` : "");
    super(session, { kind: "request", action, ...(data ? { data } : {}) }, after, text, "called");
  }
}

/** The events with this name that pages have tracked and native has accepted, or not, and with these parameters. */
export class Events extends Occurrences {
  /**
   * @param {CoreSession} session
   * @param {string | object} name - a name, or a pattern
   * @param {object | undefined} parameters
   * @param {{accepted: boolean, after: number}} options
   */
  constructor(session, name, parameters, { accepted, after }) {
    const text = `the event ${typeof name === "string" ? name : JSON.stringify(name)}`
      + (parameters ? ` with ${JSON.stringify(parameters)}` : "") + (accepted ? "" : ", dropped by native,");
    super(session, { kind: "event", data: { name, accepted, ...(parameters ? { parameters } : {}) } }, after, text, "tracked");
  }
}

/**
 * Waits until these have come in this order, and returns their entries.
 * @param {Occurrences[]} calls
 * @param {number} timeout
 */
export async function inOrder(calls, timeout) {
  const deadline = performance.now() + timeout;
  /** @type {Entry[]} */
  const found = [];
  for (const call of calls) {
    const entry = await call.next(found.at(-1)?.cursor ?? 0, Math.max(0, deadline - performance.now())).catch(noneInTime);
    if (entry instanceof ExpectationError) throw new ExpectationError(await disorder(call, found, entry.misses, timeout), entry.misses);
    found.push(entry);
  }
  return found;
}

/**
 * Explains why something did not come after those that were found.
 * @param {Occurrences} call
 * @param {Entry[]} found
 * @param {Miss[]} misses
 * @param {number} timeout
 */
async function disorder(call, found, misses, timeout) {
  const last = found.at(-1);
  const earlier = await call.next(0, 0).catch(noneInTime);
  return [
    `${call} was not ${call.verb} within ${timeout} ms${last ? ` after #${last.cursor} ${last.action}` : ""}.`,
    ...(earlier instanceof ExpectationError ? [] : [`It was ${call.verb} before that:\n  ${lineText(earlier)}`]),
    ...(last ? ["These calls came in this order:", ...found.map((entry) => `  ${lineText(entry)}`)] : []),
    await call.session.missesText(misses, last?.cursor ?? 0),
  ].join("\n");
}

/**
 * Returns a failed expectation as a value; throws other errors again.
 * @param {unknown} error
 */
function noneInTime(error) {
  if (error instanceof ExpectationError) return error;
  throw error;
}

/** @param {number} count */
const timesText = (count) => ["0 times", "once", "twice"][count] ?? `${count} times`;
