// A session's clock.

import { rfc3339 } from "./journal.mjs";

/** @typedef {import("./session.mjs").CoreSession} CoreSession */

/**
 * What the kit needs of a page or a browser context of Playwright's to set its time.
 * @typedef {{clock: {install(options: {time: number}): Promise<void>, setFixedTime(time: number): Promise<void>,
 *   setSystemTime(time: number): Promise<void>, fastForward(ticks: number): Promise<void>}}} Timed
 */

/** The clock of one session. It runs with the server's until it is stopped or put to another time. */
export class Clock {
  #session;
  /** @type {Timed[]} */
  #pages = [];

  /** @param {CoreSession} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * Gives the session's time to a page of Playwright's, or to a browser context with all its pages. Do it before the page is opened. Then
   * what changes this clock changes the page's `Date`, and `advance` also fires the page's timers that end by then, each once. Timers go on
   * while the clock stands still, as they do everywhere else: the host's messages reach the page by them.
   * @param {Timed} page
   */
  async install(page) {
    const members = await this.#session.request("GET", "/clock");
    await page.clock.install({ time: Date.parse(members.now) });
    this.#pages.push(page);
    await this.#show(members);
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
    await this.#change({ frozen: true, ...(now ? { now: rfc3339(now) } : {}) });
  }

  /** Has the clock go on from where it stands. */
  async run() {
    await this.#change({ frozen: false });
  }

  /**
   * Puts the clock to a time. Whether it runs stays.
   * @param {Date | string} now
   */
  async set(now) {
    await this.#change({ now: rfc3339(now) });
  }

  /**
   * Puts the clock forward, and wakes all that slept until then: first in the host, then in pages that have this time.
   * @param {{milliseconds?: number, seconds?: number, minutes?: number, hours?: number, days?: number}} time
   */
  async advance({ milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }) {
    const sum = milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
    const { now, frozen } = await this.#session.request("POST", "/clock/advance", { milliseconds: sum });
    for (const { clock } of this.#pages) {
      if (frozen) await clock.setFixedTime(Date.parse(now));
      await clock.fastForward(sum);
    }
  }

  /** @param {{frozen?: boolean, now?: string}} members */
  async #change(members) {
    await this.#show(await this.#session.request("PATCH", "/clock", members));
  }

  /** @param {{now: string, frozen: boolean}} members */
  async #show({ now, frozen }) {
    const time = Date.parse(now);
    for (const { clock } of this.#pages) await (frozen ? clock.setFixedTime(time) : clock.setSystemTime(time));
  }
}
