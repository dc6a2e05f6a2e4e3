// Today's part of a session: its token, and the jar of cookies.

/** @typedef {import("../core/session.mjs").CoreSession} CoreSession */
/** @typedef {import("../core/session.mjs").SessionBase} SessionBase */
/**
 * What a session begins with at Today.
 * @typedef {{today?: {signedIn?: boolean}}} TodayOptions
 */

/**
 * Adds what a test decides at Today. `token` is the token of the session.
 * @template {SessionBase} Base
 * @param {Base} base
 */
export function withToday(base) {
  return class extends base {
    token = new Token(this);

    /**
     * The cookies of the session's own jar, which no script sees: names and attributes, no values.
     * @returns {Promise<{name: string, domain: string, path: string, expires: string | null, [member: string]: unknown}[]>}
     */
    async jar() {
      return (await this.request("GET", "/cookies")).cookies;
    }
  };
}

/** Today's token of one session. Nobody is told more than its metadata. */
export class Token {
  #session;

  /** @param {CoreSession} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * What may be known of it.
   * @returns {Promise<{signedIn: boolean, hasToken: boolean, expiresAt: string | null, refreshes: number, revoked: boolean, failsNext: boolean}>}
   */
  async metadata() {
    return this.#session.request("GET", "/tokens");
  }

  /** The token is stale: whoever needs one has it refreshed. */
  async expire() {
    await this.#session.request("POST", "/tokens/expire");
  }

  /** The issuer takes it back: no refresh succeeds until someone signs in anew. */
  async revoke() {
    await this.#session.request("POST", "/tokens/revoke");
  }

  /**
   * The next refresh fails.
   * @param {"unreachable" | "invalidResponse" | "invalidGrant"} [error]
   */
  async failNext(error = "unreachable") {
    await this.#session.request("POST", "/tokens/fail-next", { error });
  }
}
