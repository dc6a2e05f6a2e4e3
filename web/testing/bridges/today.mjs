// Today's part of a session: its token, and its cookie jar.

/** @typedef {import("../core/session.mjs").CoreSession} CoreSession */
/** @typedef {import("../core/session.mjs").SessionBase} SessionBase */
/**
 * Today's options of a new session.
 * @typedef {{today?: {signedIn?: boolean}}} TodayOptions
 */

/**
 * Adds Today's part of a session. `token` is the token of the session.
 * @template {SessionBase} Base
 * @param {Base} base
 */
export function withToday(base) {
  return class extends base {
    token = new Token(this);

    /**
     * Returns the cookies in the session's jar, which no script sees: names and attributes, no values.
     * @returns {Promise<{name: string, domain: string, path: string, expires: string | null, [member: string]: unknown}[]>}
     */
    async jar() {
      return (await this.request("GET", "/cookies")).cookies;
    }
  };
}

/** Today's token of one session. Tests can read only its metadata. */
export class Token {
  #session;

  /** @param {CoreSession} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * Returns what tests can read: everything except the token itself.
   * @returns {Promise<{signedIn: boolean, hasToken: boolean, expiresAt: string | null, refreshes: number, revoked: boolean, failsNext: boolean}>}
   */
  async metadata() {
    return this.#session.request("GET", "/tokens");
  }

  /** Makes the token expire: the next call that needs one refreshes it. */
  async expire() {
    await this.#session.request("POST", "/tokens/expire");
  }

  /** Revokes the token: every refresh fails until somebody signs in again. */
  async revoke() {
    await this.#session.request("POST", "/tokens/revoke");
  }

  /**
   * Makes the next refresh fail.
   * @param {"unreachable" | "invalidResponse" | "invalidGrant"} [error]
   */
  async failNext(error = "unreachable") {
    await this.#session.request("POST", "/tokens/fail-next", { error });
  }
}
