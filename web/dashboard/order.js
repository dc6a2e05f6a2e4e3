// Orders the dashboard's requests, because their answers may arrive in another order.

/** Makes changes one after another: otherwise an earlier one that arrives late would undo a later one. */
export class Changes {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  #count = 0;

  /** Whether any have not ended. */
  get areUnderWay() { return this.#count > 0; }

  /**
   * Makes a change after the earlier ones have ended, with or without an error.
   * @template Result
   * @param {() => Result | Promise<Result>} change
   * @returns {Promise<Result>}
   */
  add(change) {
    this.#count += 1;
    const result = this.#last.then(change).finally(() => { this.#count -= 1; });
    this.#last = result.catch(() => {});
    return result;
  }
}

/** Reads something each time it may have changed, one read at a time: otherwise an earlier answer that comes late would replace a later one. */
export class Reading {
  #read;
  #pause;
  #isDue = false;
  #isReading = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {() => Promise<unknown>} read - it handles its errors itself
   * @param {number} pause - how long to collect changes before it, in milliseconds
   */
  constructor(read, pause) {
    this.#read = read;
    this.#pause = pause;
  }

  /**
   * Reads again soon, because something may have changed.
   * @param {number} [pause]
   */
  refresh(pause = this.#pause) {
    this.#isDue = true;
    if (!this.#isReading) this.#timer ??= setTimeout(() => this.#begin(), pause);
  }

  /** Reads no more. */
  stop() { clearTimeout(this.#timer); }

  async #begin() {
    this.#timer = undefined;
    this.#isDue = false;
    this.#isReading = true;
    await this.#read();
    this.#isReading = false;
    if (this.#isDue) this.refresh();
  }
}
