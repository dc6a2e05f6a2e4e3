// The calls of pages that have no answer.

/** @typedef {import("./filter.js").Entry} Entry */

/** How many open calls are remembered. The oldest are forgotten first. */
const LIMIT = 1000;

export class OpenCalls {
  /**
   * Their pages, by page and correlation id.
   * @type {Map<string, string | undefined>}
   */
  #pages = new Map();

  /**
   * Adds new entries.
   * @param {Entry[]} entries
   */
  add(entries) {
    for (const { kind, action, page, correlationId } of entries) {
      const key = `${page} ${correlationId}`;
      if (kind === "request") this.#pages.set(key, page);
      else if (kind === "response") this.#pages.delete(key);
      else if (kind === "page" && action === "ended") for (const [open, of] of this.#pages) if (of === page) this.#pages.delete(open);
    }
    for (const key of this.#pages.keys()) {
      if (this.#pages.size <= LIMIT) break;
      this.#pages.delete(key);
    }
  }

  /** Changes when other calls are open. */
  get keys() { return [...this.#pages.keys()].join("\n"); }
}
