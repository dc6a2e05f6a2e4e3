// The pages of a session, from the host's side.

/** @typedef {import("./session.mjs").CoreSession} CoreSession */
/**
 * The members of a page in the control API.
 * @typedef {{id: string, url: string | null, title: string | null, listening: boolean}} PageMembers
 */

/** A document that is open in the session. `listening` says whether its socket is open, so that the host can reach it. */
export class CorePage {
  #session;

  /**
   * @param {CoreSession} session
   * @param {PageMembers} members
   */
  constructor(session, { id, url, title, listening }) {
    this.#session = session;
    this.id = id;
    this.url = url;
    this.title = title;
    this.listening = listening;
  }

  /**
   * Sends the page an event from the host.
   * @param {string} action
   * @param {object} [data]
   */
  async send(action, data = {}) {
    await this.request("POST", "/events", { action, data });
  }

  /** Cuts the page's socket. The page reconnects by itself. */
  async disconnect() {
    await this.request("POST", "/disconnect");
  }

  /**
   * Sends a request about this page to the control API. `path` is relative to the page's.
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<any>}
   */
  async request(method, path, body) {
    return this.#session.request(method, `/pages/${encodeURIComponent(this.id)}${path}`, body);
  }
}
