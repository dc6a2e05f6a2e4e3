// A Footbridge server: one that runs already, or one that the kit starts.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Session } from "../bridges/index.mjs";
import { ControlError } from "./errors.mjs";
import { findProgram } from "./program.mjs";

/** @typedef {import("./session.mjs").CoreSession} CoreSession */
/** @typedef {import("../bridges/index.mjs").SessionOptions} SessionOptions */
/**
 * A class of sessions.
 * @template {CoreSession} Kind
 * @typedef {new (...created: any[]) => Kind} SessionClass
 */
/**
 * The folder in which a server starts, and the class of its sessions: `Session`, or a subclass.
 * @template {CoreSession} Kind
 * @typedef {{directory?: string | URL, session?: SessionClass<Kind>}} ServerOptions
 */

const base = "/__footbridge/api/v1";
/** How many lines of the handlers' log the error of a failed test has. */
const LOG_LINES = 20;

/** How long a server may take to start, in milliseconds. */
const startTime = 30_000;

/**
 * Splits flags that were printed, or that `footbridge exec` has set.
 * @param {string} [text]
 */
const flagsIn = (text = "") => text.split(/\s+/u).filter(Boolean).map((flag) => flag.replace(/^'(.*)'$/u, "$1"));

/** How much of the end of a server's log an error shows, in characters. */
const logLimit = 4000;

/**
 * A Footbridge server and its control API.
 * @template {CoreSession} [Kind=Session]
 */
export class Server {
  /** @type {string} */
  #token;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #process;
  #log = () => "";
  #sessionClass;
  /**
   * The sessions that are being deleted.
   * @type {Set<Promise<void>>}
   */
  #deletions = new Set();

  /**
   * @param {string} url - the address of its site, such as `http://127.0.0.1:8080`
   * @param {string} token - the control token
   * @param {{session?: SessionClass<Kind>}} options - `session` is the class of its sessions: `Session`, or a subclass
   */
  constructor(url, token, { session = /** @type {any} */ (Session) } = {}) {
    this.url = url.replace(/\/+$/u, "");
    this.#token = token;
    this.#sessionClass = session;
    /**
     * Chromium's flags for sites under their own origins (`--site`); empty if the server is no proxy.
     * @type {string[]}
     */
    this.browserFlags = [];
    /** How long sessions wait for an expected event, in milliseconds. */
    this.timeout = 5000;
    /** Whether a rule that never decided a call fails its test in {@link Server.inSession}. */
    this.strict = false;
    /** The folder for the transcripts of {@link Server.inSession}. */
    this.transcripts = "footbridge-transcripts";
  }

  /**
   * Returns the server that `FOOTBRIDGE_URL` and `FOOTBRIDGE_CONTROL_TOKEN` name (`footbridge exec` sets them). Without them, starts one.
   * @template {CoreSession} [Kind=Session]
   * @param {string[]} [options] - of `footbridge serve`, for a server that the kit starts
   * @param {ServerOptions<Kind>} [own]
   */
  static async find(options = [], own = {}) {
    const { FOOTBRIDGE_URL: url, FOOTBRIDGE_CONTROL_TOKEN: token } = process.env;
    if (!url) return Server.start(options, own);
    if (!token) throw new Error("FOOTBRIDGE_URL is set, but FOOTBRIDGE_CONTROL_TOKEN is not. Set it to the control token of that server.");
    const server = new Server(url, token, own);
    server.browserFlags = flagsIn(process.env.FOOTBRIDGE_BROWSER_FLAGS);
    return server;
  }

  /**
   * Starts `footbridge serve`. By default, it listens on a free port and keeps nothing on disk. The program is the one that `FOOTBRIDGE`
   * names, the one in this package, or `footbridge` on the `PATH`.
   * @template {CoreSession} [Kind=Session]
   * @param {string[]} [options]
   * @param {ServerOptions<Kind>} own
   */
  static async start(options = [], { directory, session } = {}) {
    const names = new Set(options.map((option) => option.split("=")[0]));
    const defaults = [...(names.has("--port") ? [] : ["--port", "0"]), ...(names.has("--state") ? [] : ["--ephemeral"])];
    const token = process.env.FOOTBRIDGE_CONTROL_TOKEN || randomBytes(16).toString("hex");
    const program = findProgram();
    const child = spawn(program, ["serve", ...defaults, ...options], {
      cwd: directory,
      // With a password, the proxy asks browsers for their credentials, which name the session.
      env: {
        FOOTBRIDGE_SITE_TOKEN: randomBytes(16).toString("hex"), ...process.env, FOOTBRIDGE_CONTROL_TOKEN: token, FOOTBRIDGE_CONTROL_TOKEN_FILE: "",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    let log = "";
    const announced = await new Promise((resolve, reject) => {
      const alarm = setTimeout(kill, startTime);
      let text = "";
      child.stdout.on("data", (data) => {
        text += data;
        // The last line is about the control API.
        if (/^footbridge: control .*\n/mu.test(text)) resolve(text);
      });
      child.stderr.on("data", (data) => { log = (log + data).slice(-logLimit); });
      child.once("error", (error) => reject(new Error(`${program} cannot be run: ${error.message}. Set FOOTBRIDGE to the path of the program.`)));
      child.once("close", () => { clearTimeout(alarm); resolve(text); });
      child.stdout.once("data", () => clearTimeout(alarm));
    });
    const [line] = announced.split("\n");
    if (!line.startsWith("footbridge: ready http")) {
      kill();
      throw new Error(`footbridge serve did not start.\n${log}`.trimEnd());
    }
    const server = new Server(line.split(" ").at(-1), token, { session });
    server.browserFlags = flagsIn(/^footbridge: browser (.*)$/mu.exec(announced)?.[1]);
    server.#process = child;
    server.#log = () => log;
    return server;
  }

  /** Whether the server is gone after the run: the kit has started it, or `footbridge exec`. */
  get endsWithRun() {
    return this.#process !== undefined || process.env.FOOTBRIDGE_EXEC !== undefined;
  }

  /** The arguments that make Chromium accept the certificates of sites under their own origins. Contexts set the proxy themselves. */
  get launchArguments() {
    return this.browserFlags.filter((flag) => !flag.startsWith("--proxy-server="));
  }

  /**
   * Makes a session: an app that was just installed. With another session as `deviceOf`, it is on a further device of the same person;
   * sessions with the same `world` are devices of one person, too.
   * @param {SessionOptions} [options]
   */
  async newSession(options) {
    const { deviceOf, ...others } = options ?? {};
    const device = typeof deviceOf === "object" ? deviceOf.id : deviceOf;
    // A world of a former test must not be there any more.
    await Promise.all(this.#deletions);
    return new this.#sessionClass(this, await this.request("POST", "/sessions", { ...others, deviceOf: device }));
  }

  /**
   * Runs `body` in a new session, and ends the session. If `body` fails, adds the session's journal to the error, and writes the transcript
   * to a file.
   * @template Result
   * @param {SessionOptions} options - with the name of the test as `name`
   * @param {(session: Kind) => Promise<Result>} body
   * @returns {Promise<Result>}
   */
  async inSession(options, body) {
    const session = await this.newSession(options);
    let result;
    try {
      result = await body(session);
      await session.check();
    } catch (error) {
      const parts = [error instanceof Error ? error.message : String(error)];
      for (const [index, each] of session.withOthers().entries()) {
        each.failed = true;
        parts.push(`Footbridge session ${each.id}\n${await this.#account(each, index ? `-${index + 1}` : "")}`);
      }
      const explained = new Error(parts.join("\n\n"), { cause: error });
      // Reports show the stack of this error, not that of its cause: the line of the test is in it.
      const frames = error instanceof Error ? error.stack?.match(/(?:\n {4}at .*)+$/u)?.[0] : undefined;
      if (frames) explained.stack = `${explained.name}: ${explained.message}${frames}`;
      await session.end().catch(() => {});
      throw explained;
    }
    await session.end();
    return result;
  }

  /**
   * Makes a session, lets `prepare` prepare it, and keeps it under `name`: sessions with this name as `from` begin with it.
   * @param {string} name
   * @param {SessionOptions} options
   * @param {(session: Kind) => Promise<unknown>} prepare
   */
  async snapshot(name, options, prepare) {
    const session = await this.newSession({ name, ...options });
    try {
      await prepare(session);
      await session.snapshot(name);
    } finally {
      await session.end();
    }
  }

  /**
   * Returns the text for the error of a failed test.
   * @param {CoreSession} session
   * @param {string} suffix - of the file with the transcript
   */
  async #account(session, suffix) {
    try {
      const name = (session.name ?? session.id).replace(/[^\w.-]+/gu, "-").slice(-150);
      const path = join(this.transcripts, `${name}${suffix}.jsonl`);
      await mkdir(this.transcripts, { recursive: true });
      await writeFile(path, await session.transcript());
      // When the person reads it, a server of this run is gone.
      const link = this.endsWithRun ? null : await session.dashboardLink();
      // What a handler prints before it ends is in the log alone.
      const log = this.#log().split("\n").filter((line) => line.includes(" [DeclaredServer] ")).slice(-LOG_LINES).join("\n");
      return [
        await session.report(), ...(log ? ["The end of the handlers' log:", log] : []), ...(link ? [`Dashboard: ${link}`] : []), `Transcript (JSON Lines): ${path}`,
        `To look at it later: footbridge show ${/^[\w./-]+$/u.test(path) ? path : `'${path}'`}`,
      ].join("\n");
    } catch (error) {
      return `The transcript is missing: ${error}\n${this.#log()}`.trimEnd();
    }
  }

  /**
   * Sends a request to the control API. `path` is relative to `/__footbridge/api/v1`.
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
      throw new Error(`The server at ${this.url} cannot be reached: ${reason}. Start it, or set FOOTBRIDGE_URL to its address.`, { cause: error });
    });
    const text = await response.text();
    const type = response.headers.get("Content-Type")?.split(";")[0];
    const isJSON = type === "application/json" || type === "application/problem+json";
    if (!response.ok) throw new ControlError(`${method} ${path}`, response.status, isJSON ? JSON.parse(text) : { title: response.statusText });
    return isJSON && text ? JSON.parse(text) : text;
  }

  /**
   * Notes that a session is being deleted, for which nobody waits yet.
   * @param {Promise<unknown>} deletion
   */
  noteDeletion(deletion) {
    const noted = deletion.then(() => {}, (error) => process.emitWarning(error)).finally(() => this.#deletions.delete(noted));
    this.#deletions.add(noted);
  }

  /** Waits until the sessions that have ended are deleted, and stops the server if the kit has started it. */
  async stop() {
    await Promise.all(this.#deletions);
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const alarm = setTimeout(() => child.kill("SIGKILL"), 10_000);
    child.kill();
    await ended;
    clearTimeout(alarm);
  }
}
