// What the kit throws.

/** @typedef {import("./journal.mjs").Miss} Miss */

/** The control API has refused a request: `status` is the HTTP status, `problem` what the server said (RFC 9457). */
export class ControlError extends Error {
  /**
   * @param {string} request
   * @param {number} status
   * @param {any} problem
   */
  constructor(request, status, problem) {
    super(`${request}: ${status} ${problem.detail ?? problem.title ?? ""}`.trimEnd());
    this.name = "ControlError";
    this.status = status;
    this.problem = problem;
  }
}

/** What a test waited for did not come in time. `misses` are the journal's entries that came nearest. */
export class ExpectationError extends Error {
  /**
   * @param {string} text
   * @param {Miss[]} misses
   */
  constructor(text, misses = []) {
    super(text);
    this.name = "ExpectationError";
    this.misses = misses;
  }
}
