// Native sheets that wait for an answer.

import { ExpectationError } from "./errors.mjs";

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
   * @param {Patience} patience
   * @returns {Promise<Sheet>}
   */
  async wait({ timeout = this.#session.timeout } = {}) {
    const deadline = performance.now() + timeout;
    const answered = [];
    for (let after = 0; ;) {
      const left = Math.max(0, deadline - performance.now());
      try {
        const entry = await this.#session.waitFor(this.#opening, { after, timeout: left });
        const sheet = (await this.#session.sheets()).find(({ id }) => id === entry.data.id);
        if (sheet) return sheet;
        answered.push(`#${entry.cursor}`);
        after = entry.cursor;
      } catch (error) {
        if (!(error instanceof ExpectationError)) throw error;
        throw new ExpectationError(await this.#failure(timeout, answered, error), error.misses);
      }
    }
  }

  /**
   * Waits for the sheet and approves it.
   * @param {object} [fields] - what the person chooses, such as `account` in a login sheet
   * @param {Patience} [patience]
   */
  async approve(fields, patience) {
    await (await this.wait(patience)).approve(fields);
  }

  /**
   * Waits for the sheet and dismisses it.
   * @param {Patience} [patience]
   */
  async decline(patience) {
    await (await this.wait(patience)).decline();
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
