// A Footbridge server: one that runs already, or one of our own.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Session } from "../bridges/index.mjs";
import { ControlError } from "./errors.mjs";

/** @typedef {import("./session.mjs").CoreSession} CoreSession */
/** @typedef {import("../bridges/index.mjs").SessionOptions} SessionOptions */
/**
 * What a session is to its tests.
 * @template {CoreSession} Kind
 * @typedef {new (...created: any[]) => Kind} SessionClass
 */
/**
 * The folder in which a server starts, and what its sessions are to their tests: `Session`, or a class on top of it.
 * @template {CoreSession} Kind
 * @typedef {{directory?: string | URL, session?: SessionClass<Kind>}} ServerOptions
 */

const base = "/__footbridge/api/v1";

/** The program that the packages for one platform bring. */
const carried = fileURLToPath(new URL("../native/footbridge", import.meta.url));

/** How long a server may take to start, in milliseconds. */
const startTime = 30_000;

/** How much of a server's log is kept for those that fail, in characters. */
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
   * @param {string} url - where its site is, such as `http://127.0.0.1:8080`
   * @param {string} token - the control token
   * @param {{session?: SessionClass<Kind>}} options - `session` is what sessions are to their tests: `Session`, or a class on top of it
   */
  constructor(url, token, { session = /** @type {any} */ (Session) } = {}) {
    this.url = url.replace(/\/+$/u, "");
    this.#token = token;
    this.#sessionClass = session;
    /** How long sessions wait for what they expect, in milliseconds. */
    this.timeout = 5000;
    /** Whether a rule that never decided a call fails its test in {@link Server.inSession}. */
    this.strict = false;
    /** The folder for the transcripts of {@link Server.inSession}. */
    this.transcripts = "footbridge-transcripts";
  }

  /**
   * The server that `FOOTBRIDGE_URL` and `FOOTBRIDGE_CONTROL_TOKEN` name, as `footbridge exec` sets them; without them, one that is started.
   * @template {CoreSession} [Kind=Session]
   * @param {string[]} [options] - of `footbridge serve`, for a server that is started
   * @param {ServerOptions<Kind>} [own]
   */
  static async find(options = [], own = {}) {
    const { FOOTBRIDGE_URL: url, FOOTBRIDGE_CONTROL_TOKEN: token } = process.env;
    if (!url) return Server.start(options, own);
    if (!token) throw new Error("FOOTBRIDGE_URL is set, and FOOTBRIDGE_CONTROL_TOKEN is not: the token of that server is needed, too.");
    return new Server(url, token, own);
  }

  /**
   * Starts `footbridge serve`. It listens on a free port and keeps nothing, unless the options say otherwise. The program is what
   * `FOOTBRIDGE` names, what came with this package, or `footbridge` on the search path.
   * @template {CoreSession} [Kind=Session]
   * @param {string[]} [options]
   * @param {ServerOptions<Kind>} own
   */
  static async start(options = [], { directory, session } = {}) {
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
    const server = new Server(line.split(" ").at(-1), token, { session });
    server.#process = child;
    server.#log = () => log;
    return server;
  }

  /**
   * A new session: an app that was just installed.
   * @param {SessionOptions} [options]
   */
  async newSession(options = {}) {
    return new this.#sessionClass(this, await this.request("POST", "/sessions", options));
  }

  /**
   * Runs `body` in a new session, and ends the session. When `body` fails, its error says what the session's journal has, and the
   * transcript is written to a file.
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
      if (session.strict) await session.checkRules();
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
   * @param {CoreSession} session
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
