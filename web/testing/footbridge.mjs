// Decides in test code what the native host of a page does. One file without dependencies, for Node 18 and later: copy it into your project.
// docs/testing.md is the manual. `fixtures` is for Playwright Test; everything else works with any test runner.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * An entry of a session's journal. `cursor` counts up; `time` is in milliseconds.
 * @typedef {{cursor: number, time: number, kind: string, page?: string, action?: string, correlationId?: string, cause?: number, data?: any,
 *   status?: string, error?: any, note?: string}} Entry
 */
/**
 * An entry that was not what was waited for, and in what.
 * @typedef {{entry: Entry, differences: string[]}} Miss
 */
/**
 * What puts a browser into a session.
 * @typedef {{name: string, value: string, url: string, httpOnly: boolean, sameSite: "Lax"}} Cookie
 */
/**
 * What the kit needs of a browser context of Playwright's.
 * @typedef {{addCookies(cookies: Cookie[]): Promise<any>}} BrowserContext
 */
/**
 * The settings of the store, by their names in footbridge.yaml.
 * @typedef {{failTransactions?: boolean, askToBuy?: boolean, interruptedPurchases?: boolean, disableDialogs?: boolean,
 *   billingGracePeriod?: boolean, renewalBillingIssues?: boolean, localTesting?: boolean, timeRate?: number, storefront?: string,
 *   locale?: string, refererUrl?: string | null,
 *   calls?: {[name: string]: {delay?: number, error?: string | null, once?: boolean} | null}}} Settings
 */
/**
 * What a session begins with: the members of `POST /sessions`.
 * @typedef {{name?: string, account?: string | null, storefront?: string, platform?: "ios" | "macos", present?: "page" | "control" | "auto",
 *   settings?: Settings, scenario?: string, rules?: object[], clock?: {frozen?: boolean, now?: string}, today?: {signedIn?: boolean},
 *   [member: string]: unknown}} SessionOptions
 */
/**
 * Which of the calls that match a rule are meant.
 * @typedef {"once" | "always" | {nth: number}} Times
 */
/**
 * How long to wait, in milliseconds.
 * @typedef {{timeout?: number}} Patience
 */

const base = "/__footbridge/api/v1";

/** The program that the packages for one platform bring. */
const carried = fileURLToPath(new URL("native/footbridge", import.meta.url));

/** How long a server may take to start, in milliseconds. */
const startTime = 30_000;

/** How much of a server's log is kept for those that fail, in characters. */
const logLimit = 4000;

/** How long a line of a report gets, and how many lines of a journal it has. */
const lineLimit = 200;
const lineCount = 100;

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

/** A Footbridge server and its control API. */
export class Server {
  /** @type {string} */
  #token;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #process;
  #log = () => "";

  /**
   * @param {string} url - where its site is, such as `http://127.0.0.1:8080`
   * @param {string} token - the control token
   */
  constructor(url, token) {
    this.url = url.replace(/\/+$/u, "");
    this.#token = token;
    /** How long sessions wait for what they expect, in milliseconds. */
    this.timeout = 5000;
    /** The folder for the transcripts of {@link Server.inSession}. */
    this.transcripts = "footbridge-transcripts";
  }

  /**
   * The server that `FOOTBRIDGE_URL` and `FOOTBRIDGE_CONTROL_TOKEN` name, as `footbridge exec` sets them; without them, one that is started.
   * @param {string[]} [options] - of `footbridge serve`, for a server that is started
   * @param {{directory?: string | URL}} [where]
   */
  static async find(options = [], where = {}) {
    const { FOOTBRIDGE_URL: url, FOOTBRIDGE_CONTROL_TOKEN: token } = process.env;
    if (!url) return Server.start(options, where);
    if (!token) throw new Error("FOOTBRIDGE_URL is set, and FOOTBRIDGE_CONTROL_TOKEN is not: the token of that server is needed, too.");
    return new Server(url, token);
  }

  /**
   * Starts `footbridge serve`. It listens on a free port and keeps nothing, unless the options say otherwise. The program is what
   * `FOOTBRIDGE` names, what came with this package, or `footbridge` on the search path.
   * @param {string[]} [options]
   * @param {{directory?: string | URL}} where
   */
  static async start(options = [], { directory } = {}) {
    const names = new Set(options.map((option) => option.split("=")[0]));
    const defaults = [...(names.has("--port") ? [] : ["--port", "0"]), ...(names.has("--state") ? [] : ["--ephemeral"])];
    const token = process.env.FOOTBRIDGE_CONTROL_TOKEN || randomBytes(16).toString("hex");
    const program = process.env.FOOTBRIDGE || (existsSync(carried) ? carried : "footbridge");
    const child = spawn(program, ["serve", ...defaults, ...options], {
      cwd: directory,
      env: { ...process.env, FOOTBRIDGE_CONTROL_TOKEN: token, FOOTBRIDGE_CONTROL_TOKEN_FILE: "" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    let log = "";
    const line = await new Promise((resolve, reject) => {
      const alarm = setTimeout(kill, startTime);
      let text = "";
      child.stdout.on("data", (data) => {
        text += data;
        if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
      });
      child.stderr.on("data", (data) => { log = (log + data).slice(-logLimit); });
      child.once("error", (error) => reject(new Error(`${program} cannot be run: ${error.message}. FOOTBRIDGE can say where the program is.`)));
      child.once("close", () => { clearTimeout(alarm); resolve(text); });
      child.stdout.once("data", () => clearTimeout(alarm));
    });
    if (!line.startsWith("footbridge: ready http")) {
      kill();
      throw new Error(`footbridge serve did not start.\n${log}`.trimEnd());
    }
    const server = new Server(line.split(" ").at(-1), token);
    server.#process = child;
    server.#log = () => log;
    return server;
  }

  /**
   * A new session: an app that was just installed.
   * @param {SessionOptions} [options]
   */
  async newSession(options = {}) {
    return new Session(this, await this.request("POST", "/sessions", options));
  }

  /**
   * Runs `body` in a new session, and ends the session. When `body` fails, its error says what the session's journal has, and the
   * transcript is written to a file.
   * @template Result
   * @param {SessionOptions} options - with the name of the test as `name`
   * @param {(session: Session) => Promise<Result>} body
   * @returns {Promise<Result>}
   */
  async inSession(options, body) {
    const session = await this.newSession(options);
    let result;
    try {
      result = await body(session);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const explained = new Error(`${text}\n\nFootbridge session ${session.id}\n${await this.#account(session)}`, { cause: error });
      await session.end().catch(() => {});
      throw explained;
    }
    await session.end();
    return result;
  }

  /**
   * What is told of the session of a failed test.
   * @param {Session} session
   */
  async #account(session) {
    try {
      const name = (session.name ?? session.id).replace(/[^\w.-]+/gu, "-").slice(-150);
      const path = join(this.transcripts, `${name}.jsonl`);
      await mkdir(this.transcripts, { recursive: true });
      await writeFile(path, await session.transcript());
      return `${await session.report()}\nTranscript (JSON Lines): ${path}`;
    } catch (error) {
      return `There is no transcript: ${error}\n${this.#log()}`.trimEnd();
    }
  }

  /**
   * Asks the control API. `path` is what follows `/__footbridge/api/v1`.
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<any>}
   */
  async request(method, path, body) {
    const response = await fetch(this.url + base + path, {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    }).catch((error) => {
      const reason = error.cause?.message || error.cause?.code || error.message;
      throw new Error(`The server at ${this.url} cannot be reached: ${reason}. Start it, or set FOOTBRIDGE_URL to where it is.`, { cause: error });
    });
    const text = await response.text();
    const type = response.headers.get("Content-Type")?.split(";")[0];
    const isJSON = type === "application/json" || type === "application/problem+json";
    if (!response.ok) throw new ControlError(`${method} ${path}`, response.status, isJSON ? JSON.parse(text) : { title: response.statusText });
    return isJSON && text ? JSON.parse(text) : text;
  }

  /** Stops the server, when it was started here. */
  async stop() {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const alarm = setTimeout(() => child.kill("SIGKILL"), 10_000);
    child.kill();
    await ended;
    clearTimeout(alarm);
  }
}

/** A session: one installed app on one device, and what a test can do to it. */
export class Session {
  /** @type {Cookie} */
  #cookie;
  #gateCount = 0;
  #isOver = false;

  /**
   * @param {Server} server
   * @param {{id: string, name: string | null, cookie: Cookie}} created - what the control API has answered
   */
  constructor(server, { id, name, cookie }) {
    this.server = server;
    /** What the control API and the log call the session. */
    this.id = id;
    this.name = name;
    /** Where the site is. */
    this.url = server.url;
    /** How long the session waits for what is expected, in milliseconds. */
    this.timeout = server.timeout;
    this.clock = new Clock(this);
    this.store = new Store(this);
    this.token = new Token(this);
    this.#cookie = cookie;
  }

  // The browser

  /**
   * What puts a browser into the session, as Playwright's `addCookies` takes it.
   * @param {string} [url] - where the site is, if not at `this.url`
   * @returns {Cookie[]}
   */
  cookies(url = this.url) {
    const urls = url.includes("//127.0.0.1") ? [url, url.replace("//127.0.0.1", "//localhost")] : [url];
    return urls.map((each) => ({ ...this.#cookie, url: each }));
  }

  /**
   * Puts a browser context of Playwright's into the session.
   * @param {BrowserContext} context
   * @param {string} [url] - where the site is, if not at `this.url`
   */
  async enter(context, url) {
    await context.addCookies(this.cookies(url));
  }

  // Sheets

  /**
   * The payment sheet of a product: `expectPurchase("coins").approve()`.
   * @param {string} product
   */
  expectPurchase(product) {
    return new ExpectedSheet(this, `payment sheet for ${product}`, "payment", { product: { productIdentifier: product } });
  }

  /** The login sheet: `expectLogin().approve({ account: "eva" })`. */
  expectLogin() {
    return this.expectSheet("login");
  }

  /**
   * A sheet by its kind, and by what it shows, as far as `content` says.
   * @param {string} kind
   * @param {object} [content]
   */
  expectSheet(kind, content) {
    return new ExpectedSheet(this, `${kind} sheet${content ? ` with ${JSON.stringify(content)}` : ""}`, kind, content);
  }

  /**
   * The open sheets, oldest first.
   * @returns {Promise<Sheet[]>}
   */
  async sheets() {
    const { sheets } = await this.request("GET", "/sheets");
    return sheets.map((/** @type {any} */ members) => new Sheet(this, members));
  }

  // Pages

  /**
   * The pages that are open, oldest first.
   * @returns {Promise<Page[]>}
   */
  async pages() {
    const { pages } = await this.request("GET", "/pages");
    return pages.map((/** @type {any} */ members) => new Page(this, members));
  }

  /**
   * Sends every page an event of the host's.
   * @param {string} action
   * @param {object} [data]
   */
  async send(action, data) {
    for (const page of await this.pages()) await page.send(action, data);
  }

  /** Cuts the socket of every page that has one. Pages connect anew by themselves. */
  async disconnect() {
    for (const page of await this.pages()) if (page.listening) await page.disconnect();
  }

  /**
   * Waits for a request of GBGBridge that nobody has answered, and returns it. Of its data, only what is named counts.
   * @param {string} action
   * @param {object} [data]
   * @param {Patience} patience
   * @returns {Promise<BridgeRequest>}
   */
  async waitForRequest(action, data, { timeout = this.timeout } = {}) {
    return this.waitUntilFound({ kind: "request", action, ...(data ? { data } : {}) }, timeout, async (entry) => {
      const page = (await this.pages()).find(({ id }) => id === entry.page);
      return (await page?.requests())?.find(({ correlationId }) => correlationId === entry.correlationId);
    });
  }

  /**
   * The cookies of the session's own jar, which no script sees: names and attributes, no values.
   * @returns {Promise<{name: string, domain: string, path: string, expires: string | null, [member: string]: unknown}[]>}
   */
  async jar() {
    return (await this.request("GET", "/cookies")).cookies;
  }

  // Waiting

  /**
   * Waits for an entry of the journal that is as `until` says, and returns it. Of `data`, only what is named counts.
   * @param {{kind?: string, action?: string, data?: object, [member: string]: unknown}} until
   * @param {Patience & {after?: number}} options - `after` is the cursor of an entry: those up to it are left out; without it, what has
   *   happened since the session began counts, too
   * @returns {Promise<Entry>}
   */
  async waitFor(until, { after = 0, timeout = this.timeout } = {}) {
    try {
      return (await this.request("POST", "/journal/wait", { after, until, timeout: Math.round(timeout) })).entry;
    } catch (error) {
      if (!(error instanceof ControlError) || error.status !== 408) throw error;
      const misses = error.problem.nearestMisses ?? [];
      const text = `Nothing came within ${timeout} ms that is as ${JSON.stringify(until)} says.`;
      throw new ExpectationError(`${text}\n${missesText(misses)}`, misses);
    }
  }

  /**
   * Waits for an entry of the journal of which `find` finds what it tells of, and returns that.
   * @template Found
   * @param {{kind: string, action: string, data?: object}} until
   * @param {number} timeout
   * @param {(entry: Entry) => Promise<Found | undefined>} find
   * @returns {Promise<Found>}
   */
  async waitUntilFound(until, timeout, find) {
    const deadline = performance.now() + timeout;
    for (let after = 0; ;) {
      const entry = await this.waitFor(until, { after, timeout: Math.max(0, deadline - performance.now()) });
      const found = await find(entry);
      if (found) return found;
      after = entry.cursor;
    }
  }

  // Outcomes

  /**
   * Decides what becomes of calls: `when("onside.purchase", { product: "coins" }).fails("loginDiscarded")`.
   * @param {string} on - `onside.loadProducts`, `today.refreshToken`, `footbridge.sheet.payment`, or any action of GBGBridge
   * @param {{product?: string, where?: object, times?: Times}} options - `where` is compared with what the call says, as far as it goes
   */
  when(on, { product, where = {}, times = "once" } = {}) {
    const name = product === undefined ? {} : { productIdentifier: product };
    const pattern = product !== undefined && on.startsWith("footbridge.sheet.") ? { product: name } : name;
    return new When(this, { on, where: { ...pattern, ...where }, times }, () => `held-${++this.#gateCount}`);
  }

  /**
   * Goes on by a scenario of the server's configuration.
   * @param {string} scenario
   */
  async play(scenario) {
    await this.request("PUT", "/scenario", { name: scenario });
  }

  // Settings

  /**
   * The settings of the store.
   * @returns {Promise<Settings>}
   */
  async settings() {
    return this.request("GET", "/settings");
  }

  /**
   * Changes some of them: `changeSettings({ askToBuy: true })`.
   * @param {Settings} settings
   */
  async changeSettings(settings) {
    await this.request("PATCH", "/settings", settings);
  }

  // Life

  /**
   * Changes the account, storefront, platform, or who answers sheets: `change({ account: "eva", present: "auto" })`.
   * @param {SessionOptions} members
   */
  async change(members) {
    await this.request("PATCH", "", members);
  }

  /** Starts the app anew; what it keeps, it has kept. Its pages are gone until they are loaded again. */
  async relaunch() {
    await this.request("POST", "/relaunch");
  }

  /** Deletes the app and installs it anew. Its pages are gone until they are loaded again. */
  async reset() {
    await this.request("POST", "/reset");
  }

  /** Deletes the session. Its pages lose their sockets. */
  async end() {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.request("DELETE", "");
  }

  // The journal

  /**
   * What has happened in the session, oldest first.
   * @param {{after?: number, kind?: string}} options - `after` is the cursor of an entry: those up to it are left out
   * @returns {Promise<Entry[]>}
   */
  async journal({ after = 0, kind } = {}) {
    const entries = [];
    for (;;) {
      const query = new URLSearchParams({ after: String(after), ...(kind === undefined ? {} : { kind }) });
      const page = await this.request("GET", `/journal?${query}`);
      if (!page.entries.length) return entries;
      entries.push(...page.entries);
      after = page.next;
    }
  }

  /**
   * The journal as JSON Lines.
   * @returns {Promise<string>}
   */
  async transcript() {
    return this.request("GET", "/journal?format=jsonl");
  }

  /** What a person wants to know when a test has failed. */
  async report() {
    const [sheets, { gates }, entries] = await Promise.all([this.sheets(), this.request("GET", "/gates"), this.journal()]);
    const shown = entries.slice(-lineCount).map((entry) => lineText(entry, entries[0].time));
    return [
      ...sheets.map((sheet) => `open sheet: ${sheet}`),
      ...gates.map((/** @type {any} */ gate) => `closed gate: ${gate.name} holds ${gate.action}`),
      ...(entries.length > shown.length ? [`… ${entries.length - shown.length} lines before these`] : []),
      ...shown,
    ].join("\n");
  }

  /**
   * Asks the control API about this session, for what has no function here. `path` begins after the session's.
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<any>}
   */
  async request(method, path, body) {
    return this.server.request(method, `/sessions/${encodeURIComponent(this.id)}${path}`, body);
  }
}

/** A native screen that waits for an answer. */
export class Sheet {
  #session;

  /**
   * @param {Session} session
   * @param {{id: string, kind: string, content: any}} members
   */
  constructor(session, { id, kind, content }) {
    this.#session = session;
    this.id = id;
    /** `login`, `payment`, `paymentMethods`, `priceChange`, `unavailable` or `capture`. */
    this.kind = kind;
    /** What it shows. */
    this.content = content;
  }

  /** What the sheet is, for people. */
  toString() {
    const product = this.content.product?.productIdentifier;
    return product ? `${this.kind} for ${product}` : this.kind;
  }

  /**
   * The person goes on: buys, signs in, confirms.
   * @param {object} [fields] - what they choose, such as `account` in a login sheet
   */
  async approve(fields = {}) {
    await this.#session.request("POST", `/sheets/${encodeURIComponent(this.id)}/answer`, { approved: true, fields });
  }

  /** The person dismisses the sheet. */
  async decline() {
    await this.#session.request("POST", `/sheets/${encodeURIComponent(this.id)}/answer`, { approved: false });
  }
}

/** A sheet that is open, or will be. What asks for the sheet waits until it is open. */
export class ExpectedSheet {
  #session;
  #description;
  #opening;

  /**
   * @param {Session} session
   * @param {string} description
   * @param {string} kind
   * @param {object} [content]
   */
  constructor(session, description, kind, content) {
    this.#session = session;
    this.#description = description;
    this.#opening = { kind: "sheetOpened", action: kind, ...(content ? { data: { content } } : {}) };
  }

  /**
   * Waits until the sheet is open, and returns it.
   * @param {Patience} patience
   * @returns {Promise<Sheet>}
   */
  async wait({ timeout = this.#session.timeout } = {}) {
    const deadline = performance.now() + timeout;
    const answered = [];
    for (let after = 0; ;) {
      const left = Math.max(0, deadline - performance.now());
      try {
        const entry = await this.#session.waitFor(this.#opening, { after, timeout: left });
        const sheet = (await this.#session.sheets()).find(({ id }) => id === entry.data.id);
        if (sheet) return sheet;
        answered.push(`#${entry.cursor}`);
        after = entry.cursor;
      } catch (error) {
        if (!(error instanceof ExpectationError)) throw error;
        throw new ExpectationError(await this.#failure(timeout, answered, error), error.misses);
      }
    }
  }

  /**
   * Waits for the sheet; the person goes on.
   * @param {object} [fields] - what they choose, such as `account` in a login sheet
   * @param {Patience} [patience]
   */
  async approve(fields, patience) {
    await (await this.wait(patience)).approve(fields);
  }

  /**
   * Waits for the sheet; the person dismisses it.
   * @param {Patience} [patience]
   */
  async decline(patience) {
    await (await this.wait(patience)).decline();
  }

  /**
   * @param {number} timeout
   * @param {string[]} answered
   * @param {ExpectationError} error
   */
  async #failure(timeout, answered, error) {
    const sheets = await this.#session.sheets();
    return [
      `No ${this.#description} was open within ${timeout} ms.`,
      ...(answered.length ? [`It has been opened before, and is answered: ${answered.join(", ")}.`] : []),
      ...(sheets.length ? [`Open is: ${sheets.join(", ")}.`] : []),
      ...error.message.split("\n").slice(1),
    ].join("\n");
  }
}

/** The store behind one session, and what a test decides in it. */
export class Store {
  #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * What is in the payment queue, oldest first.
   * @returns {Promise<Transaction[]>}
   */
  async transactions() {
    const { transactions } = await this.#session.request("GET", "/transactions");
    return transactions.map((/** @type {any} */ members) => new Transaction(this.#session, members));
  }

  /**
   * Waits until there is a transaction of this product: `waitForTransaction("coins", { waitingFor: "approval" })`.
   * @param {string} product
   * @param {{state?: string, waitingFor?: "approval" | "interruption"}} [members]
   * @param {Patience} patience
   */
  async waitForTransaction(product, members = {}, { timeout = this.#session.timeout } = {}) {
    const data = { productIdentifier: product, ...members };
    return this.#session.waitUntilFound({ kind: "store", action: "transaction", data }, timeout, async (entry) => (
      (await this.transactions()).find((transaction) => (
        transaction.id === entry.data.id && Object.entries(data).every(([name, value]) => transaction.members[name] === value)
      ))
    ));
  }

  /**
   * Leaves a transaction in the queue as if of an earlier launch.
   * @param {string} product
   * @param {{account?: string, waitingFor?: "approval" | "interruption", error?: string}} members
   */
  async addTransaction(product, members) {
    return new Transaction(this.#session, await this.#session.request("POST", "/transactions", { product, ...members }));
  }

  /**
   * The orders in the ledger, oldest first.
   * @returns {Promise<Purchase[]>}
   */
  async purchases() {
    const { purchases } = await this.#session.request("GET", "/purchases");
    return purchases.map((/** @type {any} */ members) => new Purchase(this.#session, members));
  }

  /**
   * The subscriptions that last, as the control API tells them.
   * @returns {Promise<any[]>}
   */
  async subscriptions() {
    return (await this.#session.request("GET", "/purchases")).subscriptions;
  }

  /**
   * Makes an order as if it had been made before. With `finished: false` it is delivered to the page.
   * @param {string} product
   * @param {{account?: string, purchasedAt?: Date | string, finished?: boolean}} members
   */
  async addPurchase(product, { purchasedAt, ...members } = {}) {
    const time = purchasedAt ? { purchasedAt: rfc3339(purchasedAt) } : {};
    const { purchases } = await this.#session.request("POST", "/purchases", { product, ...time, ...members });
    return new Purchase(this.#session, purchases[0]);
  }
}

/** A transaction in the payment queue. `members` is what the control API tells of it. */
export class Transaction {
  #session;

  /**
   * @param {Session} session
   * @param {any} members
   */
  constructor(session, members) {
    this.#session = session;
    /** @type {string} */
    this.id = members.id;
    /** @type {string} */
    this.product = members.productIdentifier;
    /** @type {string} */
    this.state = members.state;
    /** @type {string | null} */
    this.error = members.error;
    this.members = members;
  }

  /** Someone else agrees to pay, or the interruption is resolved. */
  async approve() {
    await this.#session.request("POST", `/transactions/${encodeURIComponent(this.id)}/approve`);
  }

  /** Someone else refuses to pay, or the interruption is not resolved. */
  async decline() {
    await this.#session.request("POST", `/transactions/${encodeURIComponent(this.id)}/decline`);
  }

  /**
   * It fails, whatever is being done for it.
   * @param {string} [error]
   */
  async fail(error = "cancelled") {
    await this.#session.request("POST", `/transactions/${encodeURIComponent(this.id)}/fail`, { error });
  }
}

/** An order. `members` is what the control API tells of it. */
export class Purchase {
  #session;

  /**
   * @param {Session} session
   * @param {any} members
   */
  constructor(session, members) {
    this.#session = session;
    /** @type {string} */
    this.id = members.id;
    /** @type {string} */
    this.product = members.product;
    /** @type {string} */
    this.account = members.account;
    this.members = members;
  }

  /** The store gives the money back. */
  async refund() {
    await this.#decide("refund");
  }

  /** The subscription lapses now. */
  async expire() {
    await this.#decide("expire");
  }

  /** The subscription's period ends now, and the next one begins. */
  async renew() {
    await this.#decide("renew");
  }

  /** The subscription does not renew any more. */
  async cancel() {
    await this.#decide("cancel");
  }

  /** @param {string} what */
  async #decide(what) {
    await this.#session.request("POST", `/purchases/${encodeURIComponent(this.id)}/${what}`);
  }
}

/** Today's token of one session. Nobody is told more than its metadata. */
export class Token {
  #session;

  /** @param {Session} session */
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

/** A document that is open in the session. `listening` says whether its socket is open, so that it hears of what happens. */
export class Page {
  #session;
  #path;

  /**
   * @param {Session} session
   * @param {{id: string, url: string | null, listening: boolean}} members
   */
  constructor(session, { id, url, listening }) {
    this.#session = session;
    this.#path = `/pages/${encodeURIComponent(id)}`;
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
    await this.#session.request("POST", `${this.#path}/events`, { action, data });
  }

  /**
   * The requests of GBGBridge that wait to be answered by hand, oldest first.
   * @returns {Promise<BridgeRequest[]>}
   */
  async requests() {
    const { requests } = await this.#session.request("GET", `${this.#path}/requests`);
    return requests.map((/** @type {any} */ members) => new BridgeRequest(this.#session, this.#path, members));
  }

  /** Cuts the page's socket. The page connects anew by itself. */
  async disconnect() {
    await this.#session.request("POST", `${this.#path}/disconnect`);
  }
}

/** A request of GBGBridge that nobody has answered. */
export class BridgeRequest {
  #session;
  #path;

  /**
   * @param {Session} session
   * @param {string} pagePath
   * @param {{action: string, correlationId: string, data?: any}} members
   */
  constructor(session, pagePath, { action, correlationId, data = {} }) {
    this.#session = session;
    this.#path = `${pagePath}/requests/${encodeURIComponent(correlationId)}/respond`;
    this.action = action;
    this.correlationId = correlationId;
    this.data = data;
  }

  /**
   * Answers it.
   * @param {object} [data]
   * @param {"success" | "cancelled" | "unsupported" | "acknowledged"} [status]
   */
  async respond(data = {}, status = "success") {
    await this.#session.request("POST", this.#path, { status, data });
  }

  /**
   * Answers it with an error.
   * @param {string} code
   * @param {{message?: string, recoverable?: boolean}} [error]
   */
  async fail(code, error = {}) {
    await this.#session.request("POST", this.#path, { error: { code, ...error } });
  }
}

/** Calls of which a test decides what becomes. Each function makes a rule of it. */
export class When {
  #session;
  #rule;
  #gateName;

  /**
   * @param {Session} session
   * @param {{on: string, where: object, times: Times}} rule
   * @param {() => string} gateName
   */
  constructor(session, rule, gateName) {
    this.#session = session;
    this.#rule = rule;
    this.#gateName = gateName;
  }

  /**
   * The call is answered with `result`; nothing else happens.
   * @param {unknown} [result]
   */
  async returns(result = null) {
    return this.does({ result });
  }

  /**
   * The call fails.
   * @param {string | {code: string, message: string, recoverable?: boolean}} error - a case of its error; on GBGBridge, the error's payload
   */
  async fails(error) {
    return this.does({ error });
  }

  /**
   * The call takes so long, by the session's clock.
   * @param {number} milliseconds
   */
  async delay(milliseconds) {
    return this.does({ delay: milliseconds });
  }

  /**
   * The call waits until the test releases the gate.
   * @param {string} [name]
   */
  async gate(name = this.#gateName()) {
    return new Gate(this.#session, await this.does({ gate: name }), name);
  }

  /** The page loses its socket when it calls. */
  async cutSocket() {
    return this.does({ cutSocket: true });
  }

  /**
   * Several of these at once, by their names in the control API.
   * @param {{result?: unknown, error?: unknown, delay?: number, gate?: string, cutSocket?: boolean}} outcome
   */
  async does(outcome) {
    const { id } = await this.#session.request("POST", "/rules", { ...this.#rule, then: outcome });
    return new Rule(this.#session, id);
  }
}

/** A rule of a session. */
export class Rule {
  #session;

  /**
   * @param {Session} session
   * @param {string} id
   */
  constructor(session, id) {
    this.#session = session;
    this.id = id;
  }

  /** Takes the rule away. */
  async remove() {
    await this.#session.request("DELETE", `/rules/${encodeURIComponent(this.id)}`);
  }
}

/** A gate that holds calls. */
export class Gate {
  #session;

  /**
   * @param {Session} session
   * @param {Rule} rule
   * @param {string} name
   */
  constructor(session, rule, name) {
    this.#session = session;
    this.rule = rule;
    this.name = name;
  }

  /**
   * The calls that wait here.
   * @returns {Promise<{id: string, name: string, action: string, heldSince: string}[]>}
   */
  async held() {
    const { gates } = await this.#session.request("GET", "/gates");
    return gates.filter((/** @type {any} */ gate) => gate.name === this.name);
  }

  /** Lets what waits here go on; when nothing does yet, the next one. */
  async release() {
    await this.#session.request("POST", `/gates/${encodeURIComponent(this.name)}/release`);
  }
}

/** The clock of one session. It runs with the server's until it is stopped or put to another time. */
export class Clock {
  #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /** What the clock shows. */
  async now() {
    return new Date((await this.#session.request("GET", "/clock")).now);
  }

  /**
   * Stops the clock, at `now` or where it is.
   * @param {Date | string} [now]
   */
  async freeze(now) {
    await this.#session.request("PATCH", "/clock", { frozen: true, ...(now ? { now: rfc3339(now) } : {}) });
  }

  /** Has the clock go on from where it stands. */
  async run() {
    await this.#session.request("PATCH", "/clock", { frozen: false });
  }

  /**
   * Puts the clock to a time. Whether it runs stays.
   * @param {Date | string} now
   */
  async set(now) {
    await this.#session.request("PATCH", "/clock", { now: rfc3339(now) });
  }

  /**
   * Puts the clock forward, and wakes all that slept until then.
   * @param {{milliseconds?: number, seconds?: number, minutes?: number, hours?: number, days?: number}} time
   */
  async advance({ milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }) {
    const sum = milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
    await this.#session.request("POST", "/clock/advance", { milliseconds: sum });
  }
}

/**
 * Fixtures for Playwright Test: `const test = base.extend(fixtures)`. `footbridge` is the test's session, and its browser context is in it.
 * Options, for `test.use` and the configuration: `footbridgeServeOptions`, those of `footbridge serve`, and `footbridgeOptions`, what the
 * session begins with.
 */
export const fixtures = {
  /** @type {[string[], {option: true, scope: "worker"}]} */
  footbridgeServeOptions: [[], { option: true, scope: "worker" }],

  /** @type {[SessionOptions, {option: true}]} */
  footbridgeOptions: [{}, { option: true }],

  /**
   * @type {[(fixtures: {footbridgeServeOptions: string[]}, use: (server: Server) => Promise<void>) => Promise<void>, {scope: "worker"}]}
   */
  footbridgeServer: [async ({ footbridgeServeOptions }, use) => {
    const server = await Server.find(footbridgeServeOptions);
    await use(server);
    await server.stop();
  }, { scope: "worker" }],

  /**
   * @param {{footbridgeServer: Server, footbridgeOptions: SessionOptions}} fixtures
   * @param {(session: Session) => Promise<void>} use
   * @param {{title: string, status?: string, expectedStatus?: string,
   *   attach(name: string, options: {body: string, contentType: string}): Promise<void>}} testInfo
   */
  footbridge: async ({ footbridgeServer, footbridgeOptions }, use, testInfo) => {
    const session = await footbridgeServer.newSession({ name: [...testInfo.title].slice(0, 50).join(""), ...footbridgeOptions });
    await use(session);
    try {
      if (testInfo.status !== testInfo.expectedStatus) {
        await testInfo.attach("footbridge.txt", { body: await session.report(), contentType: "text/plain" });
        await testInfo.attach("footbridge.jsonl", { body: await session.transcript(), contentType: "application/jsonl" });
      }
    } finally {
      await session.end();
    }
  },

  /**
   * @template {BrowserContext} Context
   * @param {{context: Context, footbridge: Session}} fixtures
   * @param {(context: Context) => Promise<void>} use
   */
  context: async ({ context, footbridge }, use) => {
    await footbridge.enter(context);
    await use(context);
  },
};

/**
 * A time as the control API reads it; text is as it is.
 * @param {Date | string} time
 */
function rfc3339(time) {
  return typeof time === "string" ? time : time.toISOString();
}

/**
 * An entry on one line, with the time since `start`.
 * @param {Entry} entry
 * @param {number} [start]
 */
function lineText({ cursor, time, kind, action, page: _page, correlationId: _id, ...rest }, start) {
  const words = [`#${cursor}`, start === undefined ? "" : `+${((time - start) / 1000).toFixed(3)}`, kind, action ?? ""];
  if (Object.keys(rest).length) words.push(JSON.stringify(rest));
  const text = words.filter(Boolean).join(" ");
  return text.length > lineLimit ? `${text.slice(0, lineLimit - 1)}…` : text;
}

/**
 * The entries that came nearest, with what is different about them.
 * @param {Miss[]} misses
 */
function missesText(misses) {
  if (!misses.length) return "The journal of the session is empty: is the browser in the session, and has it opened the page?";
  return ["Nearest misses:", ...misses.flatMap(({ entry, differences }) => [
    `  ${lineText(entry)}`, ...differences.map((difference) => `    ${difference}`),
  ])].join("\n");
}
