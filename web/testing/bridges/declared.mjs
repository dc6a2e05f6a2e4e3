// Declared bridges in a session: bridges for one test, their messages, and the host's actions in a page.

import { readFile } from "node:fs/promises";
import { ControlError, ExpectationError } from "../core/errors.mjs";

/** @typedef {import("../core/session.mjs").CoreSession} CoreSession */
/** @typedef {import("../core/session.mjs").Patience} Patience */
/** @typedef {import("../core/session.mjs").SessionBase} SessionBase */
/**
 * What a page does, as native code does it. Without `bridge`, the path begins with the name of the bridge, or there is only one that is
 * declared. Without `page`, it is the latest page that has the bridge.
 * @typedef {{bridge?: string, page?: string}} Where
 */

/**
 * Adds the part for declared bridges, from footbridge.yaml or from the test.
 * @template {SessionBase} Base
 * @param {Base} base
 */
export function withDeclared(base) {
  return class extends base {
    /**
     * Declares a bridge for this session alone, in the words of `bridges` in footbridge.yaml. Pages that are loaded from now on have it.
     * Scripts and adapters can be paths of files, which are read here. `{ "!from": "/id" }` and `{ "!json": … }` stand for the tags of YAML.
     * @param {string} name
     * @param {Record<string, any>} section
     */
    async bridge(name, section) {
      await this.request("PUT", `/bridges/${encodeURIComponent(name)}`, await withTexts(section));
    }

    /**
     * A message of a page that nothing has answered: `expectMessage("acme.login", { id: 7 }).reply({ token: "abc" })`.
     * @param {string} action
     * @param {unknown} [value] - what the page has posted; only what is named counts
     */
    expectMessage(action, value) {
      return new ExpectedMessage(this, action, value);
    }

    /**
     * Calls a function of the page, as native code does, and returns its result: `call("acme.onEvent", { id: 7 })`. Waits until a
     * page is there.
     * @param {string | (string | number)[] | {path: string | (string | number)[]} & Where} path - also with a bridge and a page
     * @param {unknown[]} args
     * @returns {Promise<any>}
     */
    async call(path, ...args) {
      const { path: call, ...where } = typeof path === "object" && !Array.isArray(path) ? path : { path };
      return ask(this, where, call, { call, args });
    }

    /**
     * Dispatches a `CustomEvent` on the window of the page, as native code does, or an event of another kind on another object:
     * `dispatch("message", undefined, { on: "AcmePort", kind: "MessageEvent", init: { data: "hello" } })`.
     * @param {string} event
     * @param {unknown} [detail] - only of a `CustomEvent`
     * @param {Where & {on?: string, kind?: string, init?: Record<string, any>}} form
     */
    async dispatch(event, detail, form = {}) {
      const { bridge, page, ...own } = form;
      await ask(this, { bridge, page }, event, { event, detail, ...own });
    }

    /**
     * Sets a variable of the page, as native code does: `set("acme.user", { name: "Eva" })`.
     * @param {string | (string | number)[]} path
     * @param {unknown} [value]
     * @param {Where} where
     */
    async set(path, value, where = {}) {
      await ask(this, where, path, { set: path, value });
    }

    /**
     * Runs a script in the page, as native code does, and returns its value.
     * @param {string} script
     * @param {Where} where
     * @returns {Promise<any>}
     */
    async evaluate(script, where = {}) {
      return ask(this, where, "", { evaluate: script });
    }
  };
}

/** A message of a page that waits for its answer, now or later. */
export class ExpectedMessage {
  #session;
  #until;
  #text;

  /**
   * @param {CoreSession} session
   * @param {string} action
   * @param {unknown} [value]
   */
  constructor(session, action, value) {
    this.#session = session;
    this.#text = action + (value === undefined ? "" : ` with ${JSON.stringify(value)}`);
    this.#until = { kind: "request", action, ...(value === undefined ? {} : { data: { value } }) };
  }

  /**
   * Waits until the page has posted it, and returns it.
   * @param {Patience} options
   * @returns {Promise<Message>}
   */
  async wait({ timeout = this.#session.timeout } = {}) {
    await checkBridge(this.#session, this.#until.action.split(".")[0]);
    return this.#session.waitUntilFound(this.#until, {
      timeout,
      expected: `message ${this.#text} was waiting for its answer`,
      find: async (entry) => {
        const found = await this.#session.waitingRequest(entry);
        return found && new Message(found.page, found.members);
      },
      lost: (entry) => this.#session.whatBecameOf(entry),
    });
  }

  /**
   * Waits for it, and resolves its promise.
   * @param {unknown} [value] - `undefined` without one
   * @param {Patience} [options]
   */
  async reply(value, options) {
    await (await this.wait(options)).reply(value);
  }

  /**
   * Waits for it, and rejects its promise with an `Error`.
   * @param {string | ErrorMembers} error
   * @param {Patience} [options]
   */
  async fails(error, options) {
    await (await this.wait(options)).fails(error);
  }
}

/** @typedef {{message: string, [member: string]: any}} ErrorMembers */

/** A message of a page that waits for its answer. */
export class Message {
  #page;
  #path;

  /**
   * @param {import("../core/pages.mjs").CorePage} page
   * @param {{action: string, correlationId: string, data?: {value?: any, channel?: string}}} members
   */
  constructor(page, { action, correlationId, data }) {
    this.#page = page;
    this.#path = `/requests/${encodeURIComponent(correlationId)}/respond`;
    this.action = action;
    /** What the page has posted. */
    this.value = data?.value;
    this.channel = data?.channel;
  }

  /**
   * Resolves its promise.
   * @param {unknown} [value] - `undefined` without one
   */
  async reply(value) {
    await this.#page.request("POST", this.#path, { status: "success", data: { value } });
  }

  /**
   * Rejects its promise with an `Error`: `fails("Not found")`, or `fails({ message: "Not found", code: 404 })`. It has more members than the
   * message where the wire of the bridge has them.
   * @param {string | ErrorMembers} error
   */
  async fails(error) {
    const message = typeof error === "string" ? error : error.message;
    const data = typeof error === "string" ? {} : { data: { error } };
    await this.#page.request("POST", this.#path, { error: { code: "bridge.failed", message }, ...data });
  }
}

/**
 * Runs an action in a page, and waits for the page first.
 * @param {CoreSession} session
 * @param {Where} where
 * @param {string | (string | number)[]} path
 * @param {object} what
 */
async function ask(session, { bridge, page }, path, what) {
  const name = bridge ?? await bridgeOf(session, path);
  await checkBridge(session, name);
  /** @type {Map<number, string>} */
  const problems = new Map();
  const answer = await session.waitUntilFound({ kind: "page", action: "listening" }, {
    timeout: session.timeout,
    expected: `page could be called by ${name}`,
    find: (entry) => session.request("POST", `/bridges/${encodeURIComponent(name)}/calls`, { ...what, page }).catch((error) => {
      if (!(error instanceof ControlError) || error.status !== 409) throw error;
      // The page may already be gone, before the test knows it.
      problems.set(entry.cursor, error.problem.detail);
    }),
    lost: (entry) => `When ${entry.page} connected (#${entry.cursor}): ${problems.get(entry.cursor)}`,
  });
  if ("error" in answer) throw new ExpectationError(`The page has failed: ${answer.error}`);
  return answer.result;
}

/**
 * Fails if the session has no bridge of this name.
 * @param {CoreSession} session
 * @param {string} name
 */
async function checkBridge(session, name) {
  const { bridges } = await session.request("GET", "/bridges");
  const names = bridges.map((/** @type {{name: string}} */ bridge) => bridge.name);
  if (!names.includes(name)) throw new TypeError(`The session has no bridge ${name}. It has: ${names.join(", ")}.`);
}

/**
 * @param {CoreSession} session
 * @param {string | (string | number)[]} path
 * @returns {Promise<string>}
 */
async function bridgeOf(session, path) {
  const { bridges } = await session.request("GET", "/bridges");
  const names = bridges.filter((/** @type {any} */ { declared }) => declared).map((/** @type {any} */ { name }) => name);
  const first = typeof path === "string" ? path.split(/[.:]/u)[0] : path[0];
  if (names.includes(first)) return String(first);
  if (names.length === 1) return names[0];
  throw new TypeError(`Name the bridge, as { bridge }. Declared are: ${names.join(", ") || "none"}.`);
}

/**
 * Replaces the paths of files in a section by their texts, because the server reads no files for the control API.
 * @param {Record<string, any>} section
 */
async function withTexts(section) {
  const { adapter, scripts, ...rest } = section;
  return {
    ...rest,
    ...(adapter === undefined ? {} : { adapter: await withText(adapter) }),
    ...(scripts === undefined ? {} : { scripts: await Promise.all([scripts].flat().map(withText)) }),
  };
}

/** @param {any} script */
async function withText(script) {
  const { file, ...rest } = typeof script === "string" ? { file: script } : script;
  return file === undefined ? rest : { ...rest, text: await readFile(file, "utf8") };
}
