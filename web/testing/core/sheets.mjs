// Native sheets that wait for an answer.

import { ControlError, ExpectationError } from "./errors.mjs";

/** @typedef {import("./session.mjs").CoreSession} CoreSession */
/** @typedef {import("./session.mjs").Patience} Patience */

/** A native sheet that waits for an answer. */
export class Sheet {
  #session;

  /**
   * @param {CoreSession} session
   * @param {{id: string, kind: string, content: any}} members
   */
  constructor(session, { id, kind, content }) {
    this.#session = session;
    this.id = id;
    /** Its kind, such as `login`. */
    this.kind = kind;
    /** What it shows. */
    this.content = content;
  }

  /** Describes the sheet for people. */
  toString() {
    return this.#session.describeSheet(this.kind, this.content);
  }

  /**
   * Approves the sheet.
   * @param {object} [fields] - what the person chooses, such as `account` in a login sheet
   */
  async approve(fields = {}) {
    await this.#session.request("POST", `/sheets/${encodeURIComponent(this.id)}/answer`, { approved: true, fields });
  }

  /** Dismisses the sheet. */
  async decline() {
    await this.#session.request("POST", `/sheets/${encodeURIComponent(this.id)}/answer`, { approved: false });
  }
}

/** A sheet that is open or will open. Each method waits until it is open. */
export class ExpectedSheet {
  #session;
  #description;
  #opening;

  /**
   * @param {CoreSession} session
   * @param {string} description
   * @param {string} kind
   * @param {object} [content]
   */
  constructor(session, description, kind, content) {
    this.#session = session;
    this.#description = description;
    this.#opening = { kind: "sheetOpened", action: kind, ...(content ? { data: { content } } : {}) };
  }

  /**
   * Waits until the sheet is open, and returns it.
   * @param {Patience} [options]
   * @returns {Promise<Sheet>}
   */
  async wait(options) {
    return this.#until(async (opened) => (await this.#session.sheets()).find(({ id }) => id === opened.id), options);
  }

  /**
   * Waits for the sheet and approves it.
   * @param {object} [fields] - what the person chooses, such as `account` in a login sheet
   * @param {Patience} [options]
   */
  async approve(fields, options) {
    await this.#until(answer((sheet) => sheet.approve(fields)), options);
  }

  /**
   * Waits for the sheet and dismisses it.
   * @param {Patience} [options]
   */
  async decline(options) {
    await this.#until(answer((sheet) => sheet.decline()), options);
  }

  /**
   * Waits for a sheet that has been opened and of which `find` makes something, and returns that.
   * @template Found
   * @param {(sheet: Sheet) => Promise<Found | undefined>} find
   * @param {Patience} options
   * @returns {Promise<Found>}
   */
  async #until(find, { timeout = this.#session.timeout } = {}) {
    const deadline = performance.now() + timeout;
    /** @type {string[]} */
    const answered = [];
    for (let after = 0; ;) {
      /** @type {import("./journal.mjs").Entry} */
      const entry = await this.#opened(after, timeout, deadline, answered);
      const found = await find(new Sheet(this.#session, { ...entry.data, kind: entry.action }));
      if (found !== undefined) return found;
      answered.push(`#${entry.cursor}`);
      after = entry.cursor;
    }
  }

  /**
   * @param {number} after
   * @param {number} timeout
   * @param {number} deadline
   * @param {string[]} answered
   */
  async #opened(after, timeout, deadline, answered) {
    try {
      return await this.#session.waitFor(this.#opening, { after, timeout: Math.max(0, deadline - performance.now()) });
    } catch (error) {
      if (!(error instanceof ExpectationError)) throw error;
      throw new ExpectationError(await this.#failure(timeout, answered, error), error.misses);
    }
  }

  /**
   * @param {number} timeout
   * @param {string[]} answered
   * @param {ExpectationError} error
   */
  async #failure(timeout, answered, error) {
    const sheets = await this.#session.sheets();
    return [
      `No ${this.#description} was open within ${timeout} ms.`,
      ...(answered.length ? [`It was opened before and is answered: ${answered.join(", ")}.`] : []),
      ...(sheets.length ? [`Open sheets: ${sheets.join(", ")}.`] : []),
      ...error.message.split("\n").slice(1),
    ].join("\n");
  }
}

/**
 * @param {(sheet: Sheet) => Promise<void>} act
 * @returns {(sheet: Sheet) => Promise<true | undefined>} undefined if the sheet was answered before
 */
const answer = (act) => async (sheet) => {
  try {
    await act(sheet);
    return true;
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) return undefined;
    throw error;
  }
};
