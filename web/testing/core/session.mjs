// The core of a session: what a test can do to one installed app on one device, whatever its bridges are.

import { Clock } from "./clock.mjs";
import { ControlError, ExpectationError } from "./errors.mjs";
import { lineText, missesText } from "./journal.mjs";
import { CorePage } from "./pages.mjs";
import { When, ruleText } from "./rules.mjs";
import { ExpectedSheet, Sheet } from "./sheets.mjs";
import { Calls, inOrder } from "./verification.mjs";

/** @typedef {import("./journal.mjs").Entry} Entry */
/** @typedef {import("./pages.mjs").PageMembers} PageMembers */
/** @typedef {import("./rules.mjs").RuleMembers} RuleMembers */
/** @typedef {import("./rules.mjs").Which} Which */
/**
 * What puts a browser into a session.
 * @typedef {{name: string, value: string, url: string, httpOnly: boolean, sameSite: "Lax"}} Cookie
 */
/**
 * What the kit needs of a browser context of Playwright's.
 * @typedef {{addCookies(cookies: Cookie[]): Promise<any>}} BrowserContext
 */
/**
 * What a session begins with, whatever its bridges are.
 * @typedef {{name?: string, platform?: "ios" | "macos", present?: "page" | "control" | "auto", scenario?: string, rules?: object[],
 *   clock?: {frozen?: boolean, now?: string}, [member: string]: unknown}} SessionMembers
 */
/**
 * How long to wait, in milliseconds.
 * @typedef {{timeout?: number}} Patience
 */
/**
 * What a session needs of its server.
 * @typedef {{url: string, timeout: number, strict: boolean, request(method: string, path: string, body?: unknown): Promise<any>}} SessionServer
 */
/**
 * A class of sessions, to which a bridge adds its part.
 * @typedef {new (...created: any[]) => CoreSession} SessionBase
 */

/** How many lines of a journal a report has. */
const lineCount = 100;

/** A session without the parts of its bridges: one installed app on one device. Each bridge adds its part; `Session` has them all. */
export class CoreSession {
  /** @type {Cookie} */
  #cookie;
  #gateCount = 0;
  #isOver = false;

  /**
   * @param {SessionServer} server
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
    /** Whether a rule that never decided fails the test. */
    this.strict = server.strict;
    this.clock = new Clock(this);
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

  /**
   * What a sheet is, for people. A bridge says more of its own.
   * @param {string} kind
   * @param {any} _content
   */
  describeSheet(kind, _content) {
    return kind;
  }

  // Pages

  /**
   * What a page is to the test.
   * @param {PageMembers} members
   */
  makePage(members) {
    return new CorePage(this, members);
  }

  /**
   * The pages that are open, oldest first.
   * @returns {Promise<ReturnType<this["makePage"]>[]>}
   */
  async pages() {
    const { pages } = await this.request("GET", "/pages");
    return pages.map((/** @type {PageMembers} */ members) => this.makePage(members));
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
      throw new ExpectationError(`${text}\n${missesText(misses, after)}`, misses);
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

  // Verification

  /**
   * The calls of the session's pages with this action, to say how many there must be: `calls("nfc.read", { chip: 1 }).exactly(1)`.
   * @param {string} action
   * @param {object} [data] - only what is named counts
   * @param {{after?: number}} options - `after` is the cursor of an entry: calls up to it are left out
   */
  calls(action, data, { after = 0 } = {}) {
    return new Calls(this, action, data, after);
  }

  /**
   * Waits until these calls have come one after the other, and returns their entries. Others may come in between.
   * @param {(Calls | string)[]} calls
   * @param {Patience} patience
   */
  async inOrder(calls, { timeout = this.timeout } = {}) {
    return inOrder(calls.map((each) => (typeof each === "string" ? this.calls(each) : each)), timeout);
  }

  // Outcomes

  /**
   * Decides what becomes of calls: `when("nfc.read", { where: { chip: 1 } }).fails("NFC_OFF")`.
   * @param {string} on - as docs/outcomes.md lists
   * @param {Which} options - `where` is compared with what the call says, as far as it goes
   */
  when(on, { where = {}, times = "once" } = {}) {
    return new When(this, { on, where, times }, () => `held-${++this.#gateCount}`);
  }

  /**
   * The rules that have never decided a call, as the control API tells them. Those of a scenario name it.
   * @returns {Promise<RuleMembers[]>}
   */
  async unusedRules() {
    if (this.#isOver) return [];
    const { rules } = await this.request("GET", "/rules");
    return rules.filter((/** @type {RuleMembers} */ { times, matches }) => typeof times === "object" || matches === 0);
  }

  /** Fails when a rule that the test has made never decided a call. With `strict`, this is done after each test that passes. */
  async checkRules() {
    const unused = (await this.unusedRules()).filter(({ scenario }) => scenario === undefined);
    if (!unused.length) return;
    const called = new Set((await this.journal({ kind: "request" })).map(({ action }) => action));
    throw new ExpectationError([
      "These rules never decided a call:", ...unused.map((rule) => `  ${ruleText(rule)}`),
      `The pages called: ${[...called].sort().join(", ") || "nothing"}.`,
    ].join("\n"));
  }

  /**
   * Goes on by a scenario of the server's configuration.
   * @param {string} scenario
   */
  async play(scenario) {
    await this.request("PUT", "/scenario", { name: scenario });
  }

  // Life

  /**
   * Changes what the session began with, such as who answers sheets: `change({ present: "auto" })`.
   * @param {SessionMembers} members
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
    const [sheets, { gates }, rules, entries] = await Promise.all([
      this.sheets(), this.request("GET", "/gates"), this.unusedRules(), this.journal(),
    ]);
    const shown = entries.slice(-lineCount).map((entry) => lineText(entry, entries[0].time));
    return [
      ...sheets.map((sheet) => `open sheet: ${sheet}`),
      ...gates.map((/** @type {any} */ gate) => `closed gate: ${gate.name} holds ${gate.action}`),
      ...rules.map((rule) => `rule that never decided: ${ruleText(rule)}`),
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
