// Stories: a call with its answer, and what it has led to. Each entry of the journal is in one story, and each story is a row of the log.

/** @typedef {import("./filter.js").Entry} Entry */

/** The states in which a transaction stays. */
const FINAL = ["purchased", "restored", "failed", "removed"];

/** One call, or another entry without a cause, with everything that it has led to. */
export class Story {
  /**
   * Its entries, the oldest first.
   * @type {Entry[]}
   */
  entries = [];
  /**
   * The answer to its first entry.
   * @type {Entry | undefined}
   */
  answer;
  /**
   * The latest state of the transaction that it has begun. The entry may belong to another story, such as the approval by a parent.
   * @type {Entry | undefined}
   */
  transaction;
  /** Its sheets that wait. */
  waiting = new Set();
  /** Changes with everything that the story tells. */
  version = 0;
  /**
   * Its entries that the filter takes.
   * @type {Entry[]}
   */
  matches = [];
  /**
   * The row of the story in the log; made when it is needed.
   * @type {import("./log.js").Row | undefined}
   */
  row;

  /** @param {Entry} root */
  constructor(root) {
    this.root = root;
  }

  /** Whether the page or native has asked for something. */
  get isCall() { return this.root.kind === "request" || this.root.kind === "hostRequest"; }

  /** Whether anything in it went wrong. */
  get isBad() { return this.entries.some((entry) => entry.error || entry.status === "error" || (entry.kind === "lint" && entry.data?.severity === "error")); }

  /**
   * The entry with which it ended; undefined while it goes on, and for an entry that is no call.
   * @returns {Entry | undefined}
   */
  get end() {
    if (!this.isCall || this.waiting.size > 0) return undefined;
    if (this.transaction && !this.answer?.error) return FINAL.includes(this.transaction.data?.state) ? this.transaction : undefined;
    return this.answer;
  }

  /** How long it took on the session's clock, in milliseconds; null if it has not ended. */
  get duration() { return this.end ? Math.max(0, this.end.time - this.root.time) : null; }
}

export class Stories {
  /**
   * The stories, the oldest first.
   * @type {Story[]}
   */
  all = [];
  /**
   * The story of each entry, by its cursor.
   * @type {Map<number, Story>}
   */
  #byCursor = new Map();
  /**
   * The stories of calls without an answer, by kind, page and correlation id.
   * @type {Map<string, Story>}
   */
  #calls = new Map();
  /**
   * The stories that have begun transactions, by their ids.
   * @type {Map<string, Story>}
   */
  #transactions = new Map();
  /**
   * The stories of open sheets, by their ids.
   * @type {Map<string, Story>}
   */
  #sheets = new Map();

  /**
   * The story of an entry; undefined if it is gone.
   * @param {number} cursor
   */
  of(cursor) { return this.#byCursor.get(cursor); }

  /**
   * Adds new entries.
   * @param {Entry[]} entries
   */
  add(entries) { for (const entry of entries) this.#add(entry); }

  /**
   * Removes the entries before a cursor.
   * @param {number} first
   */
  forget(first) {
    for (const story of this.all) {
      // The stories are in the order of their first entries.
      if (story.root.cursor >= first) break;
      const gone = story.entries.filter(({ cursor }) => cursor < first);
      for (const { cursor } of gone) this.#byCursor.delete(cursor);
      story.entries = story.entries.slice(gone.length);
      story.matches = story.matches.filter(({ cursor }) => cursor >= first);
      story.version += 1;
    }
    this.all = this.all.filter(({ entries }) => entries.length > 0);
    for (const map of [this.#calls, this.#transactions, this.#sheets]) {
      for (const [key, story] of map) if (story.entries.length === 0) map.delete(key);
    }
  }

  /** @param {Entry} entry */
  #add(entry) {
    const story = this.#find(entry) ?? this.#begin(entry);
    story.entries.push(entry);
    story.version += 1;
    this.#byCursor.set(entry.cursor, story);
    const id = String(entry.data?.id);
    switch (entry.kind) {
      case "request": case "hostRequest": {
        if (entry === story.root) this.#calls.set(callOf(entry.kind, entry), story);
        break;
      }
      case "response": case "pageResponse": {
        const key = callOf(entry.kind === "response" ? "request" : "hostRequest", entry);
        if (this.#calls.get(key) !== story) break;
        story.answer = entry;
        this.#calls.delete(key);
        break;
      }
      case "sheetOpened": {
        story.waiting.add(id);
        this.#sheets.set(id, story);
        break;
      }
      case "sheetAnswered": {
        this.#change(this.#sheets.get(id), (other) => { other.waiting.delete(id); });
        this.#sheets.delete(id);
        break;
      }
      case "store": {
        if (entry.action !== "transaction") break;
        const begun = this.#transactions.get(id);
        if (!begun && story.isCall && entry.data?.state !== "removed") this.#transactions.set(id, story);
        if (entry.data?.state === "removed") this.#transactions.delete(id);
        else this.#change(begun ?? story, (other) => { other.transaction = entry; });
        break;
      }
      default:
    }
  }

  /**
   * @param {Story | undefined} story
   * @param {(story: Story) => void} change
   */
  #change(story, change) {
    if (!story) return;
    change(story);
    story.version += 1;
  }

  /** @param {Entry} entry */
  #begin(entry) {
    const story = new Story(entry);
    this.all.push(story);
    return story;
  }

  /**
   * The story that an entry belongs to: that of its cause, of its call, or of its sheet.
   * @param {Entry} entry
   */
  #find(entry) {
    if (entry.cause !== undefined) return this.#byCursor.get(entry.cause);
    if (entry.kind === "response") return this.#calls.get(callOf("request", entry));
    if (entry.kind === "pageResponse") return this.#calls.get(callOf("hostRequest", entry));
    return entry.kind === "sheetAnswered" ? this.#sheets.get(String(entry.data?.id)) : undefined;
  }
}

/**
 * @param {string} kind
 * @param {Entry} entry
 */
const callOf = (kind, { page, correlationId }) => `${kind} ${page} ${correlationId}`;
