// Checks of what must have happened: which calls a page has made, how often, and in which order.

import { ExpectationError } from "./errors.mjs";
import { lineText, missesText } from "./journal.mjs";

/** @typedef {import("./journal.mjs").Entry} Entry */
/** @typedef {import("./journal.mjs").Miss} Miss */
/** @typedef {import("./session.mjs").CoreSession} CoreSession */
/** @typedef {import("./session.mjs").Patience} Patience */

/** The calls of a session's pages with this action, and with these members of their data. */
export class Calls {
  #session;
  #after;
  #until;

  /**
   * @param {CoreSession} session
   * @param {string | object} action - a name, or a pattern
   * @param {object | undefined} data
   * @param {number} after
   */
  constructor(session, action, data, after) {
    this.#session = session;
    this.#after = after;
    this.#until = { kind: "request", action, ...(data ? { data } : {}) };
  }

  /** Describes the calls for people. */
  toString() {
    const { data } = this.#until;
    const action = typeof this.#until.action === "string" ? this.#until.action : JSON.stringify(this.#until.action);
    return data ? `${action} with ${JSON.stringify(data)}` : action;
  }

  /**
   * Waits for this many calls, and returns their entries. Fails if there are fewer, or more by then.
   * @param {number} count
   * @param {Patience} patience
   */
  async exactly(count, { timeout = this.#session.timeout } = {}) {
    const { found, misses } = await this.#find(count, timeout);
    if (found.length !== count) throw this.#failure(`exactly ${timesText(count)}`, found, found.length < count ? misses : [], timeout);
    return found;
  }

  /**
   * Waits for at least this many calls, and returns the entries of all that have come.
   * @param {number} count
   * @param {Patience} patience
   */
  async atLeast(count, { timeout = this.#session.timeout } = {}) {
    const { found, misses } = await this.#find(count, timeout);
    if (found.length < count) throw this.#failure(`at least ${timesText(count)}`, found, misses, timeout);
    return found;
  }

  /**
   * Fails if there is such a call.
   * @param {{during?: number}} options - how many milliseconds to watch for calls as well: it fails as soon as one comes
   */
  async never({ during = 0 } = {}) {
    const entry = await this.next(this.#after, during).catch(noneInTime);
    if (!(entry instanceof ExpectationError)) throw new ExpectationError(`${this} was called; it should never be called.\n  ${lineText(entry)}`);
  }

  /**
   * Waits for the first such call after the entry with this cursor.
   * @param {number} after
   * @param {number} timeout
   */
  async next(after, timeout) {
    return this.#session.waitFor(this.#until, { after: Math.max(after, this.#after), timeout });
  }

  /**
   * Returns all such calls, once there are `count`, and the entries that came closest to one more.
   * @param {number} count
   * @param {number} timeout
   */
  async #find(count, timeout) {
    const deadline = performance.now() + timeout;
    for (;;) {
      const answer = await this.#session.request("POST", "/journal/count", { of: this.#until, after: this.#after });
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
  #failure(wanted, found, misses, timeout) {
    const within = !found.length || misses.length ? ` within ${timeout} ms` : "";
    const called = found.length ? `called ${timesText(found.length)}` : "never called";
    return new ExpectationError([
      `${this} was ${called}${within}; it should be called ${wanted}.`,
      ...found.map((entry) => `  ${lineText(entry)}`),
      ...(misses.length || !found.length ? [missesText(misses, this.#after)] : []),
    ].join("\n"), misses);
  }
}

/**
 * Waits until these calls have come in this order, and returns their entries.
 * @param {Calls[]} calls
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
 * Explains why a call did not come after those that were found.
 * @param {Calls} call
 * @param {Entry[]} found
 * @param {Miss[]} misses
 * @param {number} timeout
 */
async function disorder(call, found, misses, timeout) {
  const last = found.at(-1);
  const earlier = await call.next(0, 0).catch(noneInTime);
  return [
    `${call} was not called within ${timeout} ms${last ? ` after #${last.cursor} ${last.action}` : ""}.`,
    ...(earlier instanceof ExpectationError ? [] : [`It was called before that:\n  ${lineText(earlier)}`]),
    ...(last ? ["These calls came in this order:", ...found.map((entry) => `  ${lineText(entry)}`)] : []),
    missesText(misses, last?.cursor ?? 0),
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
