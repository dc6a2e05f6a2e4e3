// The core of a session: what a test can do to one installed app on one device, with any bridges.

import { Clock } from "./clock.mjs";
import { Device } from "./device.mjs";
import { ControlError, ExpectationError } from "./errors.mjs";
import { findingText, lineText, missesText } from "./journal.mjs";
import { CorePage } from "./pages.mjs";
import { When, ruleText } from "./rules.mjs";
import { ExpectedSheet, Sheet } from "./sheets.mjs";
import { Calls, Events, inOrder } from "./verification.mjs";

/** How long one request waits at most, in milliseconds. The server allows two minutes. */
const longestTurn = 60_000;
/** How many entries an error tells about at most. */
const lostLimit = 10;
/** The entry of the journal before an answer by the control API. */
const respond = "POST /pages/{page}/requests/{request}/respond";

/** @typedef {import("./journal.mjs").Entry} Entry */
/** @typedef {import("./journal.mjs").Finding} Finding */
/** @typedef {import("./pages.mjs").PageMembers} PageMembers */
/** @typedef {import("./rules.mjs").RuleMembers} RuleMembers */
/**
 * The proxy of a Playwright browser context, for sites under their own origins.
 * @typedef {{server: string, username: string, password: string}} ContextProxy
 */
/** @typedef {import("./rules.mjs").Which} Which */
/** @typedef {import("./verification.mjs").Occurrences} Occurrences */
/**
 * The cookie that puts a browser into a session.
 * @typedef {{name: string, value: string, url: string, httpOnly: boolean, sameSite: "Lax"}} Cookie
 */
/**
 * The members of a Playwright browser context that the kit uses.
 * @typedef {{addCookies(cookies: Cookie[]): Promise<any>, pages?(): {evaluate(script: string): Promise<any>}[],
 *   route?(url: RegExp, handler: (route: any) => any): Promise<any>, unroute?(url: RegExp, handler: (route: any) => any): Promise<any>}} BrowserContext
 */
/**
 * The options of a new session, without those of its bridges.
 * @typedef {{name?: string, platform?: "ios" | "macos", present?: "page" | "control" | "auto", scenario?: string, rules?: object[],
 *   from?: string | object, deviceOf?: string | {id: string}, world?: string | null, clock?: {frozen?: boolean, now?: string},
 *   device?: import("./device.mjs").DeviceChange,
 *   [member: string]: unknown}} SessionMembers
 */
/**
 * How long to wait, in milliseconds.
 * @typedef {{timeout?: number}} Patience
 */
/**
 * The members of the server that a session uses.
 * @typedef {{url: string, timeout: number, strict: boolean, request(method: string, path: string, body?: unknown): Promise<any>,
 *   newSession(options?: any): Promise<any>, noteDeletion(deletion: Promise<any>): void}} SessionServer
 */
/**
 * A class of sessions, to which a bridge adds its part.
 * @typedef {new (...created: any[]) => CoreSession} SessionBase
 */

/** Unregisters the service workers of a page's origin, and deletes its caches. */
const unregister = `(async () => {
  const scopes = [];
  for (const worker of await navigator.serviceWorker?.getRegistrations() ?? []) if (await worker.unregister()) scopes.push(worker.scope);
  for (const name of await self.caches?.keys() ?? []) await caches.delete(name);
  return scopes;
})()`;

/** The addresses of all requests but those to Footbridge itself. */
const siteRequests = /^(?![^?#]*\/__footbridge\/)/;
/**
 * Has a request of Playwright's fail as without a network.
 * @param {{abort(reason: string): Promise<any>}} route
 */
const refuse = (route) => route.abort("internetdisconnected");

/** How many lines of a journal a report has. */
const lineCount = 100;

/** A session without the parts of its bridges: one installed app on one device. Each bridge adds its part; `Session` combines them all. */
export class CoreSession {
  /** @type {Cookie} */
  #cookie;
  /** @type {Set<BrowserContext>} */
  #contexts = new Set();
  #gateCount = 0;
  /** Whether its test has failed. The server then stores its journal for an hour after the end. */
  failed = false;
  #isOver = false;
  /**
   * The cursors of findings that an error has told.
   * @type {Set<number>}
   */
  #told = new Set();
  #isOffline = false;
  /** @type {CoreSession[]} */
  #others = [];

  /**
   * @param {SessionServer} server
   * @param {{id: string, name: string | null, cookie: Cookie, sites?: string[], proxy?: ContextProxy}} created - the answer of the control API
   */
  constructor(server, { id, name, cookie, sites = [], proxy }) {
    this.server = server;
    /** The name of the session in the control API and the log. */
    this.id = id;
    this.name = name;
    /** The sites under their own origins (`--site`). */
    this.sites = sites;
    /** The address of the site, or of the first one. */
    this.url = sites[0] ?? server.url;
    /** The `proxy` option for Playwright's browser contexts; undefined if the server is no proxy. */
    this.proxy = proxy;
    /** How long the session waits for an expected event, in milliseconds. */
    this.timeout = server.timeout;
    /** Whether a rule that never decided a call, or an error that the linter has found, fails the test. */
    this.strict = server.strict;
    /** Whether the test expects the linter to find something. */
    this.expectsLint = false;
    this.clock = new Clock(this);
    this.device = new Device(this, this.#contexts);
    this.#cookie = cookie;
  }

  // The browser

  /**
   * Returns the cookies that put a browser into the session, for Playwright's `addCookies`.
   * @param {string} [url] - the address of the site, if it is not `this.url`
   * @returns {Cookie[]}
   */
  cookies(url) {
    const urls = url === undefined && this.sites.length ? [...this.sites] : [url ?? this.url];
    if (urls[0].includes("//127.0.0.1")) urls.push(urls[0].replace("//127.0.0.1", "//localhost"));
    const name = this.#cookie.name.replace("__Host-", "");
    return urls.map((each) => ({ ...this.#cookie, name: each.startsWith("https:") ? "__Host-" + name : name, url: each }));
  }

  /**
   * Puts a Playwright browser context into the session.
   * @param {BrowserContext} context
   * @param {string} [url] - the address of the site, if it is not `this.url`
   */
  async enter(context, url) {
    this.#contexts.add(context);
    if (this.#isOffline) await context.route?.(siteRequests, refuse);
    await context.addCookies(this.cookies(url));
  }

  /**
   * Returns an address that puts the first browser which opens it into the session, and then leads to a path of the site.
   * @param {string} [to]
   * @returns {Promise<string>}
   */
  async enterURL(to = "/") {
    return (await this.request("POST", "/enter", { to, cookie: this.#cookie.value })).url;
  }

  // Sheets

  /**
   * Expects a sheet of this kind that shows `content`; members that `content` leaves out do not matter.
   * @param {string} kind
   * @param {object} [content]
   */
  expectSheet(kind, content) {
    return new ExpectedSheet(this, `${kind} sheet${content ? ` with ${JSON.stringify(content)}` : ""}`, kind, content);
  }

  /**
   * Returns the open sheets, oldest first.
   * @returns {Promise<Sheet[]>}
   */
  async sheets() {
    const { sheets } = await this.request("GET", "/sheets");
    return sheets.map((/** @type {any} */ members) => new Sheet(this, members));
  }

  /**
   * Describes a sheet for people. Bridges add details of their sheets.
   * @param {string} kind
   * @param {any} _content
   */
  describeSheet(kind, _content) {
    return kind;
  }

  // Pages

  /**
   * Makes the object for a page.
   * @param {PageMembers} members
   */
  makePage(members) {
    return new CorePage(this, members);
  }

  /**
   * Returns the open pages, oldest first.
   * @returns {Promise<ReturnType<this["makePage"]>[]>}
   */
  async pages() {
    const { pages } = await this.request("GET", "/pages");
    return pages.map((/** @type {PageMembers} */ members) => this.makePage(members));
  }

  /**
   * Sends every page an event from the host.
   * @param {string} action
   * @param {object} [data]
   */
  async send(action, data) {
    for (const page of await this.pages()) await page.send(action, data);
  }

  /** Cuts the socket of every page that has one. Pages reconnect by themselves. */
  async disconnect() {
    for (const page of await this.pages()) if (page.listening) await page.disconnect();
  }

  /**
   * Has the site's requests fail in the session's browser contexts, as on a device without a network: native still answers. Playwright's
   * `setOffline` would also cut the pages off from Footbridge.
   * @param {boolean} [isOffline] - false ends it
   */
  async offline(isOffline = true) {
    for (const context of this.#contexts) {
      try {
        await context.unroute?.(siteRequests, refuse);
        if (isOffline) await context.route?.(siteRequests, refuse);
      } catch {
        // The context is closed.
        this.#contexts.delete(context);
      }
    }
    if (!this.#contexts.size) throw new Error("offline() needs an open browser context in the session: see enter().");
    this.#isOffline = isOffline;
  }

  /**
   * Unregisters the service workers of the session's browser and deletes their caches. Pages stay as they are until they are loaded again.
   * @returns {Promise<string[]>} the scopes of the workers
   */
  async unregisterServiceWorkers() {
    const scopes = new Set(/** @type {string[]} */ ((await this.request("DELETE", "/service-workers")).workers));
    // A document that a worker has kept from before Footbridge was there has no shim. Only the browser reaches it.
    for (const context of this.#contexts) {
      for (const page of context.pages?.() ?? []) {
        // A page without an origin has no workers.
        for (const scope of await page.evaluate(unregister).catch(() => [])) scopes.add(scope);
      }
    }
    return [...scopes].sort();
  }

  // Waiting

  /**
   * Waits for an entry of the journal with the members of `until`, and returns it. Members that `data` leaves out do not matter.
   * @param {{kind?: string, action?: string | object, data?: object, [member: string]: unknown}} until
   * @param {Patience & {after?: number}} options - `after` is a cursor: entries up to it do not count. Without it, entries since the start
   *   of the session count
   * @returns {Promise<Entry>}
   */
  async waitFor(until, { after = 0, timeout = this.timeout } = {}) {
    return this.#waitUntil(performance.now() + timeout, timeout, after, until);
  }

  /**
   * Waits for an entry until a deadline. `timeout` is the whole time, for the error.
   * @param {number} deadline
   * @param {number} timeout
   * @param {number} after
   * @param {object} until
   * @returns {Promise<Entry>}
   */
  async #waitUntil(deadline, timeout, after, until) {
    for (;;) {
      const left = Math.max(0, deadline - performance.now());
      const turn = Math.min(left, longestTurn);
      try {
        return (await this.request("POST", "/journal/wait", { after, until, timeout: Math.round(turn) })).entry;
      } catch (error) {
        if (!(error instanceof ControlError) || error.status !== 408) throw error;
        if (turn < left) continue;
        const misses = error.problem.nearestMisses ?? [];
        const text = `No entry of the journal matched ${JSON.stringify(until)} within ${timeout} ms.`;
        throw new ExpectationError(`${text}\n${await this.missesText(misses, after)}`, misses);
      }
    }
  }

  /**
   * Lists the entries after a cursor that came closest, and says whether a page has ever opened.
   * @param {import("./journal.mjs").Miss[]} misses
   * @param {number} after
   */
  async missesText(misses, after) {
    const opened = await this.#counted({ kind: "page", action: "opened" }, 0);
    return missesText(misses, after, opened.length > 0 || (await this.pages()).length > 0);
  }

  /**
   * Waits for an entry of the journal for which `find` returns something, and returns that.
   * @template Found
   * @param {{kind: string, action: string, data?: object}} until
   * @param {object} options
   * @param {number} options.timeout
   * @param {string} options.expected - what is awaited, for the error, such as "message acme.login was waiting for its answer"
   * @param {(entry: Entry) => Promise<Found | undefined>} options.find
   * @param {(entry: Entry) => string | Promise<string>} options.lost - tells what has become of an entry for which `find` has returned nothing
   * @returns {Promise<Found>}
   */
  async waitUntilFound(until, { timeout, expected, find, lost }) {
    const deadline = performance.now() + timeout;
    /** @type {Entry[]} */
    const lostEntries = [];
    for (;;) {
      const entry = await this.#waitUntil(deadline, timeout, lostEntries.at(-1)?.cursor ?? 0, until).catch(async (error) => {
        if (!(error instanceof ExpectationError) || !lostEntries.length) throw error;
        const parts = [`No ${expected} within ${timeout} ms.`];
        for (const each of lostEntries.slice(-lostLimit)) parts.push(await lost(each));
        throw new ExpectationError([...parts, ...error.message.split("\n").slice(1)].join("\n"), error.misses);
      });
      const found = await find(entry);
      if (found !== undefined) return found;
      lostEntries.push(entry);
    }
  }

  /**
   * Returns the request of an entry of the journal, and its page, if it still waits for an answer.
   * @param {Entry} entry
   */
  async waitingRequest({ page: id, correlationId }) {
    const page = (await this.pages()).find((each) => each.id === id);
    if (!page) return undefined;
    const { requests } = await page.request("GET", "/requests").catch((error) => {
      // The page has ended meanwhile.
      if (error instanceof ControlError && error.status === 404) return { requests: [] };
      throw error;
    });
    const members = requests.find((/** @type {any} */ request) => request.correlationId === correlationId);
    return members && { page, members };
  }

  /**
   * Tells for people what has become of a request of a page that does not wait for an answer any more.
   * @param {Entry} request
   */
  async whatBecameOf(request) {
    const { cursor } = request;
    const [answer] = await this.#counted({ kind: "response", cause: cursor }, cursor);
    if (answer) return `#${cursor} was answered ${await this.#answeredBy(request, answer)} (#${answer.cursor}).`;
    const isOpen = (await this.pages()).some(({ id }) => id === request.page);
    return isOpen ? `#${cursor} no longer waits.` : `#${cursor} was not answered before its page ended.`;
  }

  /**
   * @param {Entry} request
   * @param {Entry} answer
   */
  async #answeredBy(request, answer) {
    const decisions = await this.#counted({ kind: "decision", cause: request.cursor }, request.cursor);
    const rule = decisions.filter(({ cursor, data }) => cursor < answer.cursor && data?.rule).at(-1)?.data.rule;
    if (rule) return `by the rule ${rule}`;
    const responds = await this.#counted({ kind: "control", action: respond }, request.cursor);
    if (responds.some(({ cursor }) => cursor === answer.cursor - 1)) return "by the control API";
    const { bridges } = await this.request("GET", "/bridges");
    const action = request.action ?? "";
    const bridge = bridges.find((/** @type {any} */ { declared, prefix }) => declared && action.startsWith(prefix));
    if (!bridge) return "by native";
    if (bridge.answers.includes(action.slice(bridge.prefix.length))) {
      return bridge.own ? `by the declaration of ${bridge.name} for this session` : "by footbridge.yaml";
    }
    return bridge.handler ? `by the handler of ${bridge.name}` : "at once, since its channel has no reply";
  }

  /**
   * @param {object} of
   * @param {number} after
   * @returns {Promise<Entry[]>}
   */
  async #counted(of, after) {
    return (await this.request("POST", "/journal/count", { of, after })).entries;
  }

  // Verification

  /**
   * The calls of the session's pages with this action, to check how many there are: `calls("nfc.read", { chip: 1 }).exactly(1)`.
   * @param {string | object} action - a name, or a pattern
   * @param {object} [data] - members that the data of the call must have; they can be patterns
   * @param {{after?: number}} options - `after` is a cursor: calls up to it do not count
   */
  calls(action, data, { after = 0 } = {}) {
    return new Calls(this, action, data, after);
  }

  /**
   * The events that pages have tracked, as native has passed them on: `events("levelCompleted", { level: 3 }).exactly(1)`.
   * @param {string | object} name - a name, or a pattern
   * @param {object} [parameters] - parameters that native must have accepted, perhaps cut; they can be patterns
   * @param {{accepted?: boolean, after?: number}} options - false for events that native has dropped; `after` is a cursor: events up to it do
   *   not count
   */
  events(name, parameters, { accepted = true, after = 0 } = {}) {
    return new Events(this, name, parameters, { accepted, after });
  }

  /**
   * Waits until these calls or events have come in this order, and returns their entries. Others may come in between.
   * @param {(Occurrences | string)[]} calls
   * @param {Patience} patience
   */
  async inOrder(calls, { timeout = this.timeout } = {}) {
    return inOrder(calls.map((each) => (typeof each === "string" ? this.calls(each) : each)), timeout);
  }

  // Outcomes

  /**
   * Decides the outcome of calls: `when("nfc.read", { where: { chip: 1 } }).fails("NFC_OFF")`.
   * @param {string} on - the calls, as docs/rules.md lists them
   * @param {Which} options - `where` has members that the data of the call must have
   */
  when(on, { where = {}, times = "once" } = {}) {
    return new When(this, { on, where, times }, () => `held-${++this.#gateCount}`);
  }

  /**
   * Returns the rules that have never decided a call, as in the control API. Rules of a scenario name it.
   * @returns {Promise<RuleMembers[]>}
   */
  async unusedRules() {
    if (this.#isOver) return [];
    const { rules } = await this.request("GET", "/rules");
    return rules.filter((/** @type {RuleMembers} */ { decisions }) => decisions === 0);
  }

  /** Fails if a rule that the test has made never decided a call. With `strict`, the kit does this after each test that passes. */
  async checkRules() {
    const unused = (await this.unusedRules()).filter(({ scenario }) => scenario === undefined);
    if (!unused.length) return;
    const called = new Set((await this.journal({ kind: "request" })).map(({ action }) => action));
    throw new ExpectationError([
      "These rules never decided a call:", ...unused.map((rule) => `  ${ruleText(rule)}`),
      `The pages called: ${[...called].sort().join(", ") || "nothing"}.`,
    ].join("\n"));
  }

  // The linter

  /**
   * Returns the linter's findings in the pages of the session, as in the control API.
   * @returns {Promise<Finding[]>}
   */
  async lint() {
    return (await this.request("GET", "/lint")).findings;
  }

  /**
   * Expects these rules of the linter to find something, before or after: `expectLint("L04")`. It is then no error. The test fails in the
   * end if one of them has found nothing.
   * @param {...string} rules
   */
  async expectLint(...rules) {
    await this.request("POST", "/lint/expected", { rules });
    this.expectsLint = true;
  }

  /**
   * Fails if the linter has found errors that the test does not expect, or has not found what it expects. With `strict`, the kit does this
   * after each test that passes.
   * @param {{errors?: boolean}} options - false looks only for what was expected
   */
  async checkLint({ errors = true } = {}) {
    if (this.#isOver) return;
    const { findings, missing } = await this.request("POST", "/lint/conclude");
    const parts = missing.map((/** @type {string} */ rule) => `The linter should have found something by ${rule}, and has not.`);
    const found = findings.filter((/** @type {Finding} */ { severity, expected }) => severity === "error" && !expected);
    if (errors && found.length) {
      parts.push("The linter has found errors (docs/lint.md):", ...found.map((/** @type {Finding} */ each) => `  ${findingText(each)}`));
      for (const { entry } of found) this.#told.add(entry);
    }
    if (parts.length) throw new ExpectationError(parts.join("\n"));
  }

  /**
   * Checks this session, and those that it has made, after a test that passes: with `strict` everything, otherwise whether the linter has
   * found what the test expects.
   */
  async check() {
    if (this.strict) await this.checkRules();
    if (this.strict || this.expectsLint) await this.checkLint({ errors: this.strict });
    for (const other of this.#others) await other.check();
  }

  /**
   * Continues with a scenario of the server's configuration.
   * @param {string} scenario
   */
  async play(scenario) {
    await this.request("PUT", "/scenario", { name: scenario });
  }

  // Life

  /**
   * Makes another session, which ends with this one: `newSession({ deviceOf: footbridge })` is a further device of the same person.
   * @param {SessionMembers} options
   * @returns {Promise<this>}
   */
  async newSession(options = {}) {
    const session = await this.server.newSession({ name: this.name ?? undefined, ...options });
    session.strict = this.strict;
    this.#others.push(session);
    return session;
  }

  /**
   * Returns this session and those that it has made and that have not ended: what a test is checked by, and its report is about.
   * @returns {CoreSession[]}
   */
  withOthers() {
    return [this, ...this.#others.filter((other) => !other.#isOver).flatMap((other) => other.withOthers())];
  }

  /**
   * Changes options of the session, such as the answers to sheets: `change({ present: "auto" })`.
   * @param {SessionMembers} members
   */
  async change(members) {
    await this.request("PATCH", "", members);
  }

  /**
   * Sets what native sets before the next page loads, as the section `launch` of `footbridge.yaml` does: `setLaunch({ window: { app: {} } })`.
   *
   * @param {object} members
   */
  async setLaunch(members) {
    await this.request("PUT", "/launch", members);
  }

  /** Relaunches the app, which keeps its stored state. Its pages end: load them again. */
  async relaunch() {
    await this.request("POST", "/relaunch");
  }

  /**
   * Deletes the app and installs it anew: what it has stored is gone. What belongs to the person stays, such as orders, and so do settings,
   * rules and the clock. Its pages end: load them again.
   */
  async reinstall() {
    await this.request("POST", "/reinstall");
  }

  /** Begins from the start, as if nothing had happened. Its pages end: load them again. */
  async reset() {
    await this.request("POST", "/reset");
  }

  /**
   * Returns the stored state of the session, which outlives a launch. Another session begins with it as `from`.
   * @param {{secrets?: boolean, transcript?: boolean}} options - `secrets` adds the cookies of the jar, `transcript` the journal
   * @returns {Promise<object>}
   */
  async export({ secrets = false, transcript = false } = {}) {
    return this.request("GET", `/export?secrets=${secrets}&transcript=${transcript}`);
  }

  /**
   * Keeps the session as it is under a name, in the memory of the server. Other sessions begin with it by the name, as `from`.
   * @param {string} name
   */
  async snapshot(name) {
    await this.server.request("PUT", `/snapshots/${encodeURIComponent(name)}`, { session: this.id });
  }

  /**
   * Deletes the session, and those that it has made. Their pages lose their sockets.
   * @param {{waits?: boolean}} options - false does not wait until they are deleted: the kit's next session does, or the end of the run
   */
  async end({ waits = true } = {}) {
    for (const other of this.#others.splice(0)) await other.end({ waits });
    if (this.#isOver) return;
    this.#isOver = true;
    const deletion = this.request("DELETE", this.failed ? "?failed=true" : "");
    if (waits) await deletion;
    else this.server.noteDeletion(deletion);
  }

  // The journal

  /**
   * Returns what has happened in the session, oldest first.
   * @param {{after?: number, kind?: string}} options - `after` is a cursor: entries up to it are left out
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
   * Returns the journal as JSON Lines.
   * @returns {Promise<string>}
   */
  async transcript() {
    return this.request("GET", "/journal?format=jsonl");
  }

  /**
   * Returns the address of the session's latest entry in the dashboard; null for a server without a dashboard. A tab that does not use the
   * dashboard yet asks for a code: `footbridge dashboard ADDRESS` prints the address with one.
   * @returns {Promise<string | null>}
   */
  async dashboardLink() {
    const { url } = await this.server.request("GET", "/dashboard").catch((error) => {
      if (error instanceof ControlError && error.status === 404) return { url: null };
      throw error;
    });
    if (url === null) return null;
    const { cursor } = await this.request("GET", "");
    return `${url}#/sessions/${this.id}?row=${Math.max(1, cursor)}`;
  }

  /**
   * Returns the text for people about a failed test: open sheets, closed gates, unused rules, what the linter has found, the journal. A
   * finding is told once: here, or by the error of `checkLint`.
   */
  async report() {
    const [sheets, { gates }, rules, findings, entries] = await Promise.all([
      this.sheets(), this.request("GET", "/gates"), this.unusedRules(), this.lint(), this.journal(),
    ]);
    const found = findings.filter(({ expected }) => !expected);
    const others = entries.filter(({ cursor }) => !found.some(({ entry }) => entry === cursor));
    const shown = others.slice(-lineCount).map((entry) => lineText(entry, entries[0].time));
    return [
      ...sheets.map((sheet) => `open sheet: ${sheet}`),
      ...gates.map((/** @type {any} */ gate) => `closed gate: ${gate.name} holds ${gate.action}`),
      ...rules.map((rule) => `rule that never decided: ${ruleText(rule)}`),
      ...found.filter(({ entry }) => !this.#told.has(entry)).map((finding) => `linter: ${findingText(finding)}`),
      ...(others.length > shown.length ? [`… ${others.length - shown.length} earlier lines`] : []),
      ...shown,
    ].join("\n");
  }

  /**
   * Sends a request about this session to the control API, for everything without its own method. `path` is relative to the session's.
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<any>}
   */
  async request(method, path, body) {
    return this.server.request(method, `/sessions/${encodeURIComponent(this.id)}${path}`, body);
  }
}
