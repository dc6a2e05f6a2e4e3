// Handlers of declared bridges: a function for each message. It has no dependencies and runs on Node 18 and later; docs/handlers.md is
// the manual.
//
//     import { run } from "./handler.mjs";
//     run({ login: ({ body }) => ({ token: "abc", id: body.id }) });

import { createInterface } from "node:readline";

/**
 * @typedef {Record<string, any>} Line
 * @typedef {{approved: boolean, button?: string, fields?: Record<string, any>}} SheetAnswer
 * @typedef {{text?: string, fields?: (string | object)[], buttons?: (string | object)[]}} SheetContent
 */
/**
 * Functions by the names of messages. What one returns, or what its promise comes to, is the reply; what it throws rejects the promise: a
 * text, an `Error` with the members that it has, or `{ message, code }`.
 * @typedef {Record<string, (message: Message) => unknown>} Answers
 */
/**
 * Functions by what happens: `opened`, `navigated`, `gone`, `relaunched`, `reset`, `clock`, `ended`, and `store` for the notices of the
 * store.
 * @typedef {Record<string, (notice: Notice) => unknown>} Notices
 */

/**
 * Functions by the schemes, such as `ipc`, or the paths, such as `/_capacitor_file_/`, of resources of the app. What one returns is the
 * response: a `Response`, a text, bytes, or a value for JSON; `undefined` and `null` are 404. What it throws is a network error.
 * @typedef {Record<string, (request: ResourceRequest) => unknown>} Resources
 */

/** The store of a session: what it sells, and what its account has. Each promise can reject with an `Error` that has a `code`. */
class Store {
  #wire;
  #place;

  /**
   * @param {Wire} wire
   * @param {Line} place
   */
  constructor(wire, place) {
    this.#wire = wire;
    this.#place = place;
  }

  /**
   * The products with these identifiers, or all.
   * @param {string[]} identifiers
   * @returns {Promise<any[]>}
   */
  products(...identifiers) {
    return this.#ask({ store: "products", products: identifiers.length > 0 ? identifiers : undefined });
  }

  /**
   * Buys a product, with the store's sheets: `{ state: "purchased", transaction }`, or `{ state: "pending" }` where somebody else decides.
   * @param {string} product
   * @param {{offer?: string, appAccountToken?: string}} more
   * @returns {Promise<{state: "purchased" | "pending", transaction?: any}>}
   */
  purchase(product, { offer, appAccountToken } = {}) {
    return this.#ask({ store: "purchase", product, offer, appAccountToken });
  }

  /**
   * Restores what the account has bought, and resolves with its entitlements.
   * @returns {Promise<any[]>}
   */
  restore() {
    return this.#ask({ store: "restore" });
  }

  /**
   * Finishes the transaction with this id.
   * @param {string} transaction
   * @returns {Promise<void>}
   */
  finish(transaction) {
    return this.#ask({ store: "finish", transaction });
  }

  /**
   * The transactions that the app has not finished.
   * @returns {Promise<any[]>}
   */
  unfinished() {
    return this.#ask({ store: "unfinished" });
  }

  /**
   * What the account has now.
   * @returns {Promise<any[]>}
   */
  entitlements() {
    return this.#ask({ store: "entitlements" });
  }

  /**
   * All transactions of the account.
   * @returns {Promise<any[]>}
   */
  transactions() {
    return this.#ask({ store: "transactions" });
  }

  /**
   * The signed history of the account, a compact JWS.
   * @returns {Promise<string>}
   */
  history() {
    return this.#ask({ store: "history" });
  }

  /**
   * The country of the account; null while nobody is signed in.
   * @returns {Promise<{countryCode: string} | null>}
   */
  storefront() {
    return this.#ask({ store: "storefront" });
  }

  /**
   * @param {Line} line
   * @returns {Promise<any>}
   */
  async #ask(line) {
    const answer = await this.#wire.ask("id", { ...this.#place, ...line });
    if ("error" in answer) throw Object.assign(new Error(answer.error), { code: answer.code ?? "failed" });
    return answer.result;
  }
}

/** The control API of a session. Each promise rejects with an `Error` that has a `status` where the server refuses. */
class Control {
  #access;

  /** @param {{url: string, token: string} | undefined} access */
  constructor(access) {
    this.#access = access;
  }

  /**
   * Gets a path below that of the session: `message.control.get("/journal?limit=10")`.
   * @param {string} path
   * @returns {Promise<any>}
   */
  get(path) {
    return this.#request("GET", path);
  }

  /**
   * Posts a body: `message.control.post("/clock/advance", { duration: "P1D" })`.
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<any>}
   */
  post(path, body) {
    return this.#request("POST", path, body);
  }

  /**
   * Changes some members.
   * @param {string} path
   * @param {unknown} body
   * @returns {Promise<any>}
   */
  patch(path, body) {
    return this.#request("PATCH", path, body);
  }

  /**
   * Replaces what is at a path.
   * @param {string} path
   * @param {unknown} body
   * @returns {Promise<any>}
   */
  put(path, body) {
    return this.#request("PUT", path, body);
  }

  /**
   * Deletes what is at a path.
   * @param {string} path
   * @returns {Promise<any>}
   */
  delete(path) {
    return this.#request("DELETE", path);
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   */
  async #request(method, path, body) {
    if (!this.#access) throw new Error("The session has ended: it has no control API.");
    const { url, token } = this.#access;
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    const isJSON = /^application\/(problem\+)?json/.test(response.headers.get("content-type") ?? "");
    const value = isJSON ? JSON.parse(text) : text || undefined;
    if (response.ok) return value;
    throw Object.assign(new Error(`${method} ${path}: ${response.status} ${value?.detail ?? ""}`.trimEnd()), { status: response.status });
  }
}

/** A page that has the bridge, and its session. */
class Page {
  #wire;

  /**
   * @param {Wire} wire
   * @param {Line} line
   */
  constructor(wire, { session, page, url, control }) {
    this.#wire = wire;
    /** What the control API calls the page. */
    this.page = page;
    /** What the control API calls the session. */
    this.session = session;
    /** The page's address, where the line says it. */
    this.url = url;
    /** The store of the page's session. The page shows its sheets. */
    this.store = new Store(wire, { session, page });
    /** The control API of the page's session. It cannot be used for other sessions, and not after the session has ended. */
    this.control = new Control(control);
  }

  /**
   * Calls a function of the page, and resolves with what comes of it: `await message.call("acme.onEvent", { id: 7 })`.
   * @param {string | (string | number)[]} path
   * @param {unknown[]} args
   * @returns {Promise<any>}
   */
  call(path, ...args) {
    return this.#ask({ call: path, args });
  }

  /**
   * Dispatches a `CustomEvent` on the page's window, or an event of another kind on another object:
   * `message.event("message", undefined, { on: "AcmePort", kind: "MessageEvent", init: { data: "hello" } })`.
   * @param {string} name
   * @param {unknown} [detail] - only of a `CustomEvent`
   * @param {{on?: string, kind?: string, init?: object}} form
   */
  event(name, detail, form = {}) {
    this.#wire.say({ session: this.session, page: this.page, event: name, detail, ...form });
  }

  /**
   * Sets a variable of the page: `message.set("acme.user", { name: "Eva" })`.
   * @param {string | (string | number)[]} path
   * @param {unknown} [value]
   */
  set(path, value) {
    this.#wire.say({ session: this.session, page: this.page, set: path, value });
  }

  /**
   * Runs a script in the page, and resolves with what comes of it.
   * @param {string} script
   * @returns {Promise<any>}
   */
  evaluate(script) {
    return this.#ask({ evaluate: script });
  }

  /**
   * Shows a native screen, and resolves with its answer.
   * @param {string} title
   * @param {SheetContent} content
   * @returns {Promise<SheetAnswer>}
   */
  async sheet(title, content = {}) {
    const { approved, button, fields = {} } = await this.#wire.ask("sheet", { session: this.session, title, ...content });
    return { approved, button, fields };
  }

  /** @param {Line} line */
  #ask(line) {
    const result = this.#wire.ask("id", { session: this.session, page: this.page, ...line }).then((answer) => {
      if ("error" in answer) throw new Error(answer.error);
      return answer.result;
    });
    // A handler that does not wait for a call does not end when the call fails.
    result.catch(() => {});
    return result;
  }
}

/** A message of a page. */
export class Message extends Page {
  /**
   * @param {Wire} wire
   * @param {Line} line
   */
  constructor(wire, line) {
    super(wire, line);
    this.name = line.name;
    this.body = line.body;
    this.channel = line.channel;
    /** Of a message of an instance that the page has made: what it is called in the paths of calls, events and variables. */
    this.instance = line.instance;
    this.origin = line.origin;
    this.mainFrame = line.mainFrame;
  }
}

/** Something that has happened to a page or a session. */
export class Notice extends Page {
  /**
   * @param {Wire} wire
   * @param {Line} line
   */
  constructor(wire, line) {
    super(wire, line);
    /** What has happened, such as `opened`. */
    this.state = line.state;
    const { control, ...members } = line;
    /** All that the line says, but for the address and the token of `control`. */
    this.members = members;
  }
}

/** A request of a page for a resource of the app. */
export class ResourceRequest {
  #body;

  /**
   * @param {Wire} wire
   * @param {Line} line
   */
  constructor(wire, line) {
    const { method, url, headers, body = "", base64 } = line.resource;
    this.method = method;
    this.url = url;
    /** The headers, with names in lower case. */
    this.headers = headers;
    /** The page that was active last. */
    this.page = new Page(wire, line);
    this.#body = base64 === undefined ? Buffer.from(body) : Buffer.from(base64, "base64");
  }

  /** The bytes of the body. */
  bytes() {
    return this.#body;
  }

  /** The body as a text. */
  text() {
    return this.#body.toString();
  }

  /** The body, read as JSON. */
  json() {
    return JSON.parse(this.text());
  }
}

/** The lines to Footbridge, and those that wait for an answer. */
class Wire {
  #write;
  #number = 0;
  /** @type {Map<string, (line: Line) => void>} */
  #waiting = new Map();

  /** @param {(text: string) => void} write */
  constructor(write) {
    this.#write = write;
  }

  /** @param {Line} line */
  say(line) {
    this.#write(`${JSON.stringify(line)}\n`);
  }

  /**
   * Writes a line with a number of its own, and resolves with the line that answers it.
   * @param {"id" | "sheet"} kind
   * @param {Line} line
   * @returns {Promise<Line>}
   */
  ask(kind, line) {
    const number = ++this.#number;
    return new Promise((resolve) => {
      this.#waiting.set(`${kind} ${number}`, resolve);
      this.say({ [kind]: number, ...line });
    });
  }

  /**
   * @param {"id" | "sheet"} kind
   * @param {Line} line - the answer
   */
  answered(kind, line) {
    const key = `${kind} ${line[kind]}`;
    this.#waiting.get(key)?.(line);
    this.#waiting.delete(key);
  }
}

/**
 * What answers lines: `take` gets each line of Footbridge's, `write` what is to be written.
 * @param {Answers} answers - `*` is for messages for which there is no other
 * @param {Notices} notices
 * @param {(text: string) => void} write
 * @param {Resources} resources
 * @returns {(line: Line) => Promise<void>}
 */
export function makeHandler(answers, notices, write, resources = {}) {
  const wire = new Wire(write);
  return async (line) => {
    if ("id" in line) return wire.answered("id", line);
    if ("sheet" in line) return wire.answered("sheet", line);
    if ("state" in line) {
      if (line.state === "opened" && Object.hasOwn(notices, "store")) wire.say({ session: line.session, page: line.page, store: "listen" });
      try {
        if (Object.hasOwn(notices, line.state)) await notices[line.state](new Notice(wire, line));
      } catch (error) {
        console.error(error);
      }
      return;
    }
    const answered = "resource" in line ? await load(resources, new ResourceRequest(wire, line), line.resource.place)
      : await answerTo(answers, new Message(wire, line));
    if (!("message" in line)) return;
    try {
      wire.say({ message: line.message, ...answered });
    } catch (error) {
      // The reply has no form in JSON.
      console.error(error);
      wire.say({ message: line.message, error: String(error) });
    }
  };
}

/**
 * @param {Answers} answers
 * @param {Message} message
 * @returns {Promise<{reply?: unknown} | {error: unknown}>}
 */
async function answerTo(answers, message) {
  const name = Object.hasOwn(answers, message.name) ? message.name : "*";
  if (!Object.hasOwn(answers, name)) return { error: `The handler has no function for ${message.name}.` };
  return answered(() => answers[name](message));
}

/**
 * @param {Resources} resources
 * @param {ResourceRequest} request
 * @param {string} place
 */
async function load(resources, request, place) {
  if (!Object.hasOwn(resources, place)) return { error: `The handler has no function for resources of ${place}.` };
  return answered(async () => resourceLine(await resources[place](request)));
}

/**
 * What a line says of a response.
 * @param {any} response
 */
async function resourceLine(response) {
  if (response === undefined || response === null) return null;
  if (response instanceof Response) {
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), base64: bytes.toString("base64") };
  }
  if (response instanceof ArrayBuffer) return { base64: Buffer.from(response).toString("base64") };
  if (ArrayBuffer.isView(response)) {
    return { base64: Buffer.from(response.buffer, response.byteOffset, response.byteLength).toString("base64") };
  }
  return { body: response };
}

/**
 * @param {() => unknown} answer
 * @returns {Promise<{reply?: unknown} | {error: unknown}>}
 */
async function answered(answer) {
  try {
    return { reply: await answer() };
  } catch (error) {
    if (!(error instanceof Error)) return { error: typeof error === "object" && error !== null ? error : String(error) };
    const members = { ...error };
    // An error with members of its own is an answer, not a mistake.
    if (Object.keys(members).length > 0) return { error: { ...members, message: error.message } };
    console.error(error);
    return { error: error.message };
  }
}

/**
 * Answers the lines of the standard input, until there are no more: `run({ login: ({ body }) => ({ id: body.id }) })`.
 * @param {Answers} answers - `*` is for messages for which there is no other
 * @param {Notices} notices
 * @param {Resources} resources
 */
export function run(answers, notices = {}, resources = {}) {
  const take = makeHandler(answers, notices, (text) => void process.stdout.write(text), resources);
  createInterface({ input: process.stdin }).on("line", (text) => void take(JSON.parse(text)));
}
