// The control API on the dashboard's own port. A tab needs a bearer token.

const BASE = "/__footbridge/api/v1";

/** The server has refused a request, or cannot be reached (status 0). */
export class APIError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export class API {
  #bearer;

  /**
   * @param {string} bearer
   * @param {() => void} refused - called when the bearer is no longer valid
   */
  constructor(bearer, refused = () => {}) {
    this.#bearer = bearer;
    this.refused = refused;
  }

  /** @param {string} path - below the API's base, as in docs/control-api.md */
  get(path) { return this.call("GET", path); }
  /**
   * @param {string} path
   * @param {unknown} [body]
   */
  post(path, body) { return this.call("POST", path, body); }
  /**
   * @param {string} path
   * @param {unknown} body
   */
  patch(path, body) { return this.call("PATCH", path, body); }
  /**
   * @param {string} path
   * @param {unknown} body
   */
  put(path, body) { return this.call("PUT", path, body); }
  /** @param {string} path */
  delete(path) { return this.call("DELETE", path); }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<any>} the JSON of the answer; null without one
   */
  async call(method, path, body) {
    const text = await (await this.#fetch(method, BASE + path, body)).text();
    return text ? JSON.parse(text) : null;
  }

  /**
   * Reads this browser's session, the address of the server, whether browsers see the site under another one, and the run of the server, which is
   * another one after each start.
   * @returns {Promise<{session: string | null, server: string, sites: boolean, version: string, transcript: boolean, run: string}>}
   */
  async here() { return (await this.#fetch("GET", "/here")).json(); }

  /** The transcript that the server was told to show. */
  async transcript() { return (await this.#fetch("GET", "/transcript")).text(); }

  /**
   * Opens a stream of server-sent events.
   * @param {string} path
   * @param {AbortSignal} signal
   * @returns {Promise<ReadableStream<Uint8Array>>}
   */
  async stream(path, signal) {
    const { body } = await this.#fetch("GET", BASE + path, undefined, signal);
    if (!body) throw new APIError(0, "The server has sent no stream.");
    return body;
  }

  /**
   * @param {string} method
   * @param {string} target
   * @param {unknown} [body]
   * @param {AbortSignal} [signal]
   */
  async #fetch(method, target, body, signal) {
    /** @type {Record<string, string>} */
    const headers = { Authorization: `Bearer ${this.#bearer}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let response;
    try {
      response = await fetch(target, { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new APIError(0, "The server does not answer. Is it still running?");
    }
    if (response.ok) return response;
    if (response.status === 401) this.refused();
    const problem = await response.json().catch(() => ({}));
    throw new APIError(response.status, problem.detail ?? `${method} ${target}: ${response.status}`);
  }
}

/**
 * Exchanges the one-time code of a printed address for a bearer token.
 * @param {string} code
 * @returns {Promise<string>}
 */
export async function exchange(code) {
  const response = await fetch("/enter", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }),
  });
  const answer = await response.json();
  if (!response.ok) throw new APIError(response.status, answer.detail);
  return answer.bearer;
}
