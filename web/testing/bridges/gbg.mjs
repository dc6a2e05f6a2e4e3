// GBGBridge's part of a session and of its pages: requests that a test answers in place of the host.

/** @typedef {import("../core/pages.mjs").CorePage} CorePage */
/** @typedef {import("../core/session.mjs").Patience} Patience */
/** @typedef {import("../core/session.mjs").SessionBase} SessionBase */

/**
 * Adds GBGBridge's part of a session.
 * @template {SessionBase} Base
 * @param {Base} base
 */
export function withGBG(base) {
  return class extends base {
    /**
     * Waits for a request of GBGBridge that nobody has answered, and returns it. Its data must have the members of `data`.
     * @param {string} action
     * @param {object} [data]
     * @param {Patience} patience
     * @returns {Promise<BridgeRequest>}
     */
    async waitForRequest(action, data, { timeout = this.timeout } = {}) {
      return this.waitUntilFound({ kind: "request", action, ...(data ? { data } : {}) }, {
        timeout,
        expected: `request ${action}${data ? ` with ${JSON.stringify(data)}` : ""} was waiting for its answer`,
        find: async (entry) => {
          const found = await this.waitingRequest(entry);
          return found && new BridgeRequest(found.page, found.members);
        },
        lost: (entry) => this.whatBecameOf(entry),
      });
    }
  };
}

/**
 * Adds the requests that a test answers to a page.
 * @template {new (...created: any[]) => CorePage} Base
 * @param {Base} base
 */
export function withRequests(base) {
  return class extends base {
    /** Returns the requests of GBGBridge that wait for a manual answer, oldest first. */
    async requests() {
      const { requests } = await this.request("GET", "/requests");
      return requests.map((/** @type {any} */ members) => new BridgeRequest(this, members));
    }
  };
}

/** A request of GBGBridge that nobody has answered. */
export class BridgeRequest {
  #page;
  #path;

  /**
   * @param {CorePage} page
   * @param {{action: string, correlationId: string, data?: any}} members
   */
  constructor(page, { action, correlationId, data = {} }) {
    this.#page = page;
    this.#path = `/requests/${encodeURIComponent(correlationId)}/respond`;
    this.action = action;
    this.correlationId = correlationId;
    this.data = data;
  }

  /**
   * Answers the request.
   * @param {object} [data]
   * @param {"success" | "cancelled" | "unsupported" | "acknowledged"} [status]
   */
  async respond(data = {}, status = "success") {
    await this.#page.request("POST", this.#path, { status, data });
  }

  /**
   * Answers the request with an error.
   * @param {string} code
   * @param {{message?: string, recoverable?: boolean}} [error]
   */
  async fail(code, error = {}) {
    await this.#page.request("POST", this.#path, { error: { code, ...error } });
  }
}
