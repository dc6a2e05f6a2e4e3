// A session's clock.

import { rfc3339 } from "./journal.mjs";

/** @typedef {import("./session.mjs").CoreSession} CoreSession */

/**
 * The members of a Playwright page or browser context that the kit uses to set its time.
 * @typedef {{clock: {install(options: {time: number}): Promise<void>, setFixedTime(time: number): Promise<void>,
 *   setSystemTime(time: number): Promise<void>, fastForward(ticks: number): Promise<void>}}} Timed
 */

/** The clock of one session. It shows the server's time until a test stops or sets it. */
export class Clock {
  #session;
  /** @type {Timed[]} */
  #pages = [];

  /** @param {CoreSession} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * Gives the session's time to a Playwright page, or to a browser context with all its pages. Call it before you open the page. From then
   * on, a change of this clock changes the page's `Date`, and `advance` also fires the page's timers that are due by then, each once. Timers
   * keep running while the clock stands still, because the host's messages need them to reach the page.
   * @param {Timed} page
   */
  async install(page) {
    const members = await this.#session.request("GET", "/clock");
    await page.clock.install({ time: Date.parse(members.now) });
    this.#pages.push(page);
    await this.#show(members);
  }

  /** Returns the time that the clock shows. */
  async now() {
    return new Date((await this.#session.request("GET", "/clock")).now);
  }

  /**
   * Stops the clock, at `now` or at its current time.
   * @param {Date | string} [now]
   */
  async freeze(now) {
    await this.#change({ frozen: true, ...(now ? { now: rfc3339(now) } : {}) });
  }

  /** Lets the clock run on from its current time. */
  async run() {
    await this.#change({ frozen: false });
  }

  /**
   * Sets the clock to a time. It keeps running or standing still.
   * @param {Date | string} now
   */
  async set(now) {
    await this.#change({ now: rfc3339(now) });
  }

  /**
   * Advances the clock, and wakes everything that waits until then: first in the host, then in pages with this clock. Months and years are
   * those of the calendar, as subscriptions count them: a month after 31 January is the last day of February.
   * @param {{milliseconds?: number, seconds?: number, minutes?: number, hours?: number, days?: number, months?: number, years?: number}} time
   */
  async advance({ milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0, months = 0, years = 0 }) {
    const sum = milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
    const before = months || years ? (await this.now()).getTime() : 0;
    const time = months || years ? { duration: `P${years}Y${months}MT${(sum / 1000).toFixed(3)}S` } : { milliseconds: sum };
    const { now, frozen } = await this.#session.request("POST", "/clock/advance", time);
    const passed = months || years ? Date.parse(now) - before : sum;
    for (const { clock } of this.#pages) {
      if (frozen) await clock.setFixedTime(Date.parse(now));
      await clock.fastForward(passed);
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
