// The start page: all sessions of the server.

import { writeAddress } from "./address.js";
import { brand, button, h, run, say } from "./elements.js";
import { counted } from "./entry-text.js";
import { openHelp } from "./keyboard.js";

/** @typedef {import("./api.js").API} API */

/** How often the list is read again, in milliseconds. No stream tells of new sessions. */
const INTERVAL = 2000;

export class SessionList extends HTMLElement {
  #api;
  #openFile;
  /** @type {any[]} */
  #sessions = [];
  /** @type {string | null} */
  #own = null;
  /** @type {string | null} */
  #server = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #polling;
  /**
   * The sessions of failed tests, of which the server has the journals.
   * @type {any[]}
   */
  #failed = [];
  #order = new ActivityOrder();
  /** What the list has shown, to leave the document alone if nothing has changed. */
  #shown = "";

  #search = h("input", { type: "search", placeholder: "Search: name, account, page …", "aria-label": "Search sessions", spellcheck: "false" });
  #list = h("ul", { class: "rows sessions" });
  #state = h("span", { class: "state", role: "status" });
  /**
   * The run of the server that the list is of.
   * @type {string | undefined}
   */
  #run;
  #deleteAll = button("", () => this.#deleteShown(), { hidden: true, title: "Delete the sessions that the search has left" });
  #failedList = h("section", { class: "failed", hidden: true });
  #file = h("input", { type: "file", accept: ".jsonl,.json,application/jsonl,application/json", hidden: true, "aria-label": "Transcript" });

  /**
   * @param {API | null} api - null for transcripts only
   * @param {(file: File) => Promise<void>} openFile
   */
  constructor(api, openFile) {
    super();
    this.#api = api;
    this.#openFile = openFile;
  }

  connectedCallback() {
    this.#search.addEventListener("input", () => this.#paint());
    this.#file.addEventListener("change", () => {
      const file = this.#file.files?.[0];
      if (file) run(() => this.#openFile(file));
    });
    this.replaceChildren(
      h("header", { class: "bar" }, brand(), this.#state, h("span", { class: "grow" }), button("?", openHelp, { "aria-label": "Help", class: "quiet" })),
      h("main", { class: "start" },
        h("div", { class: "tools" }, h("h1", {}, "Sessions"), this.#api && this.#search, this.#deleteAll, button("Open a transcript", () => this.#file.click()), this.#file),
        this.#api ? this.#list : h("p", { class: "empty" }, "Without a server, only transcripts can be opened."),
        this.#failedList,
        h("p", { class: "quiet" }, "A transcript (.jsonl) or a bug report (.json) can also be dropped here.")));
    addEventListener("keydown", this.#key);
    if (!this.#api) return;
    run(() => this.#begin());
    this.#polling = setInterval(() => { if (!document.hidden) this.#readAgain(); }, INTERVAL);
  }

  disconnectedCallback() {
    clearInterval(this.#polling);
    removeEventListener("keydown", this.#key);
  }

  #key = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement || document.querySelector("dialog[open]")) return;
    if (event.key === "/") {
      event.preventDefault();
      this.#search.focus();
    } else if (event.key === "?") {
      openHelp();
    }
  };

  async #begin() {
    const here = await /** @type {API} */ (this.#api).here();
    [this.#own, this.#server] = [here.session, here.server];
    await this.#read();
  }

  async #readAgain() {
    try {
      await this.#read();
      this.#state.textContent = "";
    } catch {
      this.#state.textContent = "connection lost, trying again …";
    }
  }

  async #read() {
    const api = /** @type {API} */ (this.#api);
    const [{ sessions }, { transcripts }, { session, run }] = await Promise.all([api.get("/sessions"), api.get("/transcripts"), api.here()]);
    this.#failed = transcripts;
    if (this.#run && this.#run !== run) say("The server was restarted.");
    this.#run = run;
    this.#own = session;
    this.#sessions = this.#order.latestFirst(sessions);
    this.#paint();
  }

  #paint() {
    const found = this.#found;
    const failed = this.#failed.filter((each) => this.#has(each));
    const shown = JSON.stringify([found, failed, this.#own]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#deleteAll.hidden = found.length < 2;
    this.#deleteAll.textContent = `Delete all ${found.length} shown`;
    this.#failedList.hidden = failed.length === 0;
    this.#failedList.replaceChildren(h("h2", {}, "Failed tests"), h("p", { class: "quiet" }, "Their sessions have ended. The journals stay for an hour."),
      h("ul", { class: "rows" }, ...failed.map(failedRow)));
    const active = document.activeElement;
    const key = this.#list.contains(active) ? active?.getAttribute("data-key") : null;
    this.#list.replaceChildren(...found.map((session) => this.#row(session)));
    if (found.length === 0) {
      this.#list.append(h("li", { class: "empty" }, this.#sessions.length > 0 ? "No session has these words." : "No session is running. Open the site: ",
        this.#sessions.length === 0 && this.#server && h("a", { href: this.#server, target: "_blank", rel: "noreferrer" }, this.#server)));
    }
    if (key) /** @type {HTMLElement | null} */ (this.#list.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
  }

  /** The sessions that have the words of the search. */
  get #found() { return this.#sessions.filter((session) => this.#has(session)); }

  /** @param {any} session */
  #has(session) {
    const text = JSON.stringify(session).toLowerCase();
    return this.#search.value.toLowerCase().split(" ").every((word) => text.includes(word));
  }

  async #deleteShown() {
    const api = /** @type {API} */ (this.#api);
    const shown = this.#found;
    if (!confirm(`Delete ${counted(shown.length, "session")}? They and everything in them are gone.`)) return;
    // One that has ended in the meantime is no error.
    await Promise.all(shown.map(({ id }) => api.delete(`/sessions/${encodeURIComponent(id)}`).catch((error) => { if (error.status !== 404) throw error; })));
    say(`${counted(shown.length, "session is", "sessions are")} deleted.`);
    await this.#read();
  }

  /** @param {any} session */
  #row(session) {
    const api = /** @type {API} */ (this.#api);
    const path = `/sessions/${encodeURIComponent(session.id)}`;
    const act = (/** @type {string} */ label, /** @type {() => Promise<unknown>} */ action, /** @type {string} */ title) =>
      button(label, async () => {
        if (label !== "Relaunch" && !confirm(`${label} ${session.name ?? session.id}? ${title}.`)) return;
        await action();
        await this.#read();
      }, { "data-key": `${session.id} ${label}`, title, "aria-label": `${label} ${session.name ?? session.id}` });
    const count = session.pages.length;
    const status = [
      counted(count, "page"), session.openSheets > 0 && counted(session.openSheets, "sheet waits", "sheets wait"),
      session.unfinishedTransactions > 0 && `${session.unfinishedTransactions} unfinished`, session.scenario,
    ].filter(Boolean).join(" · ");
    return h("li", { class: "row session" },
      h("a", { class: "grow", href: writeAddress({ session: session.id }), "data-key": session.id },
        h("strong", {}, session.name ?? session.id), session.name && h("code", {}, session.id),
        session.id === this.#own && h("span", { class: "tag good" }, "this browser"),
        session.lintErrors > 0 && h("span", { class: "tag bad" }, counted(session.lintErrors, "error")),
        ...documents(session.pages).map(({ title, url }) => h("span", { class: "address quiet" }, title && h("bdi", {}, title), title && url && " · ", url))),
      h("span", {}, [session.account ?? "signed out", session.storefront ?? "–"].join(" · ")),
      h("span", { class: session.openSheets > 0 ? "waits" : "" }, status),
      h("span", { class: "quiet" }, session.lastActivity ? `${session.lastActivity.replace("T", " ").slice(0, 19)} · ${counted(session.entries, "entry", "entries")}` : "nothing yet"),
      h("span", { class: "actions" },
        act("Relaunch", () => api.post(`${path}/relaunch`), "The app ends and starts again; its pages have to be loaded again"),
        act("Reset", () => api.post(`${path}/reset`), "Back to what it was when it was new"),
        act("Delete", async () => {
          await api.delete(path);
          say(`${session.name ?? session.id} is deleted.`);
        }, "It and everything in it is gone")));
  }
}
customElements.define("session-list", SessionList);

/** Orders sessions by when something has last happened in them. The clock of a session may stand still, or be in another year. */
class ActivityOrder {
  /**
   * The latest entry of each session, and when it was seen first.
   * @type {Map<string, {cursor: number, seen: number}>}
   */
  #seen = new Map();

  /** @param {any[]} sessions */
  latestFirst(sessions) {
    // What has happened before the first look is in the order of the clocks.
    const now = this.#seen.size === 0 ? 0 : Date.now();
    this.#seen = new Map(sessions.map(({ id, cursor }) => {
      const before = this.#seen.get(id);
      return [id, before && before.cursor === cursor ? before : { cursor, seen: now }];
    }));
    const seen = (/** @type {any} */ { id }) => this.#seen.get(id)?.seen ?? 0;
    return [...sessions].sort((one, other) => seen(other) - seen(one) || (other.lastActivity ?? "").localeCompare(one.lastActivity ?? ""));
  }
}

/**
 * The titles and addresses of pages, each once.
 * @param {{title: string | null, url: string | null}[]} pages
 */
function documents(pages) {
  const found = new Map(pages.filter(({ title, url }) => title || url).map((page) => [`${page.url} ${page.title}`, page]));
  return [...found.values()].slice(0, 3);
}

/** @param {any} failed - the session of a failed test */
function failedRow({ session, name, ended, entries }) {
  return h("li", { class: "row session" },
    h("a", { class: "grow", href: writeAddress({ session }), "data-key": session }, h("strong", {}, name ?? session), name && h("code", {}, session)),
    h("span", { class: "quiet" }, `${ended.replace("T", " ").slice(0, 19)} · ${counted(entries, "entry", "entries")}`));
}
