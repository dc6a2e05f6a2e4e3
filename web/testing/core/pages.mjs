// The pages of a session, from the host's side.

/** @typedef {import("./session.mjs").CoreSession} CoreSession */
/**
 * What the control API tells of a page.
 * @typedef {{id: string, url: string | null, listening: boolean}} PageMembers
 */

/** A document that is open in the session. `listening` says whether its socket is open, so that it hears of what happens. */
export class CorePage {
  #session;

  /**
   * @param {CoreSession} session
   * @param {PageMembers} members
   */
  constructor(session, { id, url, listening }) {
    this.#session = session;
    this.id = id;
    this.url = url;
    this.listening = listening;
  }

  /**
   * Sends the page an event of the host's.
   * @param {string} action
   * @param {object} [data]
   */
  async send(action, data = {}) {
    await this.request("POST", "/events", { action, data });
  }

  /** Cuts the page's socket. The page connects anew by itself. */
  async disconnect() {
    await this.request("POST", "/disconnect");
  }

  /**
   * Asks the control API about this page. `path` begins after the page's.
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<any>}
   */
  async request(method, path, body) {
    return this.#session.request(method, `/pages/${encodeURIComponent(this.id)}${path}`, body);
  }
}
