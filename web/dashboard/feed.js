// The journal of one session: first the entries that the server still has, then each new one.

import { APIError } from "./api.js";

/** @typedef {import("./filter.js").Entry} Entry */
/** @typedef {import("./api.js").API} API */

/** How many entries the list has at most. */
const ENTRY_LIMIT = 10_000;
/** The entries beyond that are removed together. */
const SLACK = 500;
/** How many entries are taken at once. Between them, the tab draws and hears the person. */
const SLICE = 250;
/** How long to collect entries before the listeners hear of them, in milliseconds. */
const PAUSE = 50;
/** How long to wait before connecting again, in milliseconds. */
const RETRY = 1000;

/**
 * A change of a feed: the new entries, and how many of the oldest were dropped.
 * @typedef {object} FeedChange
 * @property {Entry[]} added
 * @property {number} removed
 */

/**
 * Events: `change` (a `CustomEvent` with a `FeedChange`) when entries came, and `state` when it connects, disconnects or ends.
 */
export class Feed extends EventTarget {
  /**
   * The entries, the oldest first.
   * @type {Entry[]}
   */
  entries = [];
  /** How many earlier entries are gone, here or on the server. */
  dropped = 0;
  /**
   * `lost`: the server does not answer. `away`: it was restarted, and does not have the session yet. `restarted`: it has the session, with a new
   * journal, for which there is to be another feed.
   * @type {"connecting" | "live" | "lost" | "away" | "restarted" | "ended" | "file"}
   */
  state = "connecting";

  /** @type {Entry[]} */
  #waiting = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #abort = new AbortController();
  #cursor = 0;
  /**
   * The run of the server that the entries are of.
   * @type {string | undefined}
   */
  #run;

  /**
   * Follows the journal of a session until `close`.
   * @param {API} api
   * @param {string} session
   */
  async follow(api, session) {
    let isRestarted = false;
    while (!this.#abort.signal.aborted) {
      try {
        const { run } = await api.here();
        isRestarted = run !== (this.#run ??= run);
        if (isRestarted) {
          await api.get(`/sessions/${encodeURIComponent(session)}`);
          return this.#become("restarted");
        }
        const stream = await api.stream(`/events?session=${encodeURIComponent(session)}&after=${this.#cursor}`, this.#abort.signal);
        this.#become("live");
        await this.#read(stream);
        // The server ends the stream when the session is deleted, or when it stops.
        await api.get(`/sessions/${encodeURIComponent(session)}`);
      } catch (error) {
        if (this.#abort.signal.aborted) return;
        const status = error instanceof APIError ? error.status : 0;
        if (status === 401 || (status === 404 && !isRestarted)) return this.#become("ended");
        // The browser of the session brings it back, once its page has connected.
        this.#become(status === 404 ? "away" : "lost");
        await this.#pause();
        continue;
      }
      this.#become("lost");
      await this.#pause();
    }
  }

  /**
   * Takes a transcript: JSON Lines, a page of the journal (`entries`), or an exported session (`transcript`). Ignores everything that is no entry.
   * @param {string} text
   * @returns {Promise<number>} how many entries it had
   */
  async readTranscript(text) {
    this.#become("file");
    const rest = lines(text);
    let count = 0;
    for (let first = 0; first < rest.length; first += SLICE) {
      await new Promise((resolve) => setTimeout(resolve));
      for (const line of rest.slice(first, first + SLICE)) if (this.#add(typeof line === "string" ? line : JSON.stringify(line))) count += 1;
      this.#flush();
    }
    return count;
  }

  async #pause() { await new Promise((resolve) => setTimeout(resolve, RETRY)); }

  /** Ends it. */
  close() {
    this.#abort.abort();
    clearTimeout(this.#timer);
  }

  /**
   * The entry with a cursor; undefined if it is gone.
   * @param {number} cursor
   */
  entry(cursor) { return this.entries[this.index(cursor)]; }

  /**
   * The answer to a call; undefined if there is none yet.
   * @param {Entry} call
   */
  answerTo({ cursor, page, correlationId }) {
    return this.entries.find((entry) => entry.cursor > cursor && entry.kind === "response" && entry.page === page && entry.correlationId === correlationId);
  }

  /**
   * The index of the entry with a cursor; -1 if it is gone.
   * @param {number} cursor
   */
  index(cursor) {
    let [low, high] = [0, this.entries.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = /** @type {Entry} */ (this.entries[middle]).cursor;
      if (found === cursor) return middle;
      if (found < cursor) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** @param {ReadableStream<Uint8Array>} stream */
  async #read(stream) {
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#line(line);
    }
  }

  /** @param {string} line - of a stream of server-sent events */
  #line(line) {
    if (line.startsWith("data:")) return this.#take(line.slice(5).trimStart());
    const gone = /^: (\d+) entries were dropped/u.exec(line);
    if (gone) this.dropped += Number(gone[1]);
  }

  /** @param {string} json */
  #take(json) {
    if (this.#add(json)) this.#timer ??= setTimeout(() => this.#flush(), PAUSE);
  }

  /**
   * @param {string} json
   * @returns {boolean} whether it is a new entry
   */
  #add(json) {
    const entry = read(json);
    if (!entry || entry.cursor <= this.#cursor) return false;
    this.#cursor = entry.cursor;
    this.#waiting.push(entry);
    return true;
  }

  #flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const added = this.#waiting.splice(0, SLICE);
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#flush());
    if (added.length === 0) return;
    for (const entry of added) this.entries.push(entry);
    const removed = this.entries.length > ENTRY_LIMIT + SLACK ? this.entries.length - ENTRY_LIMIT : 0;
    this.entries.splice(0, removed);
    this.dropped += removed;
    this.dispatchEvent(new CustomEvent("change", { detail: { added, removed } }));
  }

  /** @param {Feed["state"]} state */
  #become(state) {
    if (this.state === state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}

/**
 * @param {string} json
 * @returns {Entry | null}
 */
function read(json) {
  try {
    const entry = JSON.parse(json);
    if (!Number.isInteger(entry?.cursor) || typeof entry.kind !== "string") return null;
    return { ...entry, time: Number(entry.time) || 0, text: json.toLowerCase() };
  } catch {
    return null;
  }
}

/**
 * The entries of a transcript, or its lines, which may be entries.
 * @param {string} text
 * @returns {any[]}
 */
function lines(text) {
  try {
    const whole = JSON.parse(text);
    const entries = [whole?.entries, whole?.transcript].find(Array.isArray);
    if (entries) return entries;
  } catch {
    // It has several lines.
  }
  return text.split("\n");
}
