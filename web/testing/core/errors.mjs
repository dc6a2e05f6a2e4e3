// The errors of the kit.

/** @typedef {import("./journal.mjs").Miss} Miss */

/** The control API has refused a request: `status` is the HTTP status, `problem` the problem details of the answer (RFC 9457). */
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

/** A wait has timed out. `misses` are the entries of the journal that came closest. */
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
