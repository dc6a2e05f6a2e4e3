// A session's clock.

import { rfc3339 } from "./journal.mjs";

/** @typedef {import("./session.mjs").CoreSession} CoreSession */

/** The clock of one session. It runs with the server's until it is stopped or put to another time. */
export class Clock {
  #session;

  /** @param {CoreSession} session */
  constructor(session) {
    this.#session = session;
  }

  /** What the clock shows. */
  async now() {
    return new Date((await this.#session.request("GET", "/clock")).now);
  }

  /**
   * Stops the clock, at `now` or where it is.
   * @param {Date | string} [now]
   */
  async freeze(now) {
    await this.#session.request("PATCH", "/clock", { frozen: true, ...(now ? { now: rfc3339(now) } : {}) });
  }

  /** Has the clock go on from where it stands. */
  async run() {
    await this.#session.request("PATCH", "/clock", { frozen: false });
  }

  /**
   * Puts the clock to a time. Whether it runs stays.
   * @param {Date | string} now
   */
  async set(now) {
    await this.#session.request("PATCH", "/clock", { now: rfc3339(now) });
  }

  /**
   * Puts the clock forward, and wakes all that slept until then.
   * @param {{milliseconds?: number, seconds?: number, minutes?: number, hours?: number, days?: number}} time
   */
  async advance({ milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }) {
    const sum = milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
    await this.#session.request("POST", "/clock/advance", { milliseconds: sum });
  }
}
