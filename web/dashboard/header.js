// The header of a session: its name and address, its pages, its clock, and warnings.

import { TRANSCRIPT } from "./address.js";
import { APIError } from "./api.js";
import { brand, button, h, run, save } from "./elements.js";
import { counted, dateAndTime } from "./entry-text.js";
import { openHelp } from "./keyboard.js";
import { Changes, Reading } from "./order.js";

/** @typedef {import("./address.js").Place} Place */
/** @typedef {import("./api.js").API} API */
/** @typedef {import("./feed.js").Feed} Feed */
/** @typedef {import("./feed.js").FeedChange} FeedChange */

/** After entries of these kinds the session is read again. */
const KINDS = ["page", "store", "control", "sheetOpened", "sheetAnswered", "decision"];
/** How long to collect entries before that, in milliseconds. */
const PAUSE = 150;

/** Events: `name` when the name of the session is known. */
export class SessionHeader extends HTMLElement {
  #api;
  #session;
  #feed;
  #open;
  /**
   * The API's description of the session.
   * @type {any}
   */
  #known = null;
  /** When that was, on this machine's clock, in milliseconds. */
  #readAt = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;
  #reading = new Reading(() => run(() => this.#read()), PAUSE);
  #changes = new Changes();

  #name = h("h1", { class: "name" });
  #who = h("span", { class: "who" });
  #pages = h("a", { class: "pages", href: "#" });
  #state = h("span", { class: "state", role: "status" });
  #time = h("time", {});
  #run = button("Run", () => this.toggleClock(), { class: "toggle", "aria-keyshortcuts": "." });
  #warnings = button("", () => this.#open({ pane: "lint" }), { class: "warnings" });

  /**
   * @param {API | null} api - null for a transcript
   * @param {string} session
   * @param {Feed} feed
   * @param {(place: Partial<Place>) => void} open
   */
  constructor(api, session, feed, open) {
    super();
    this.#api = api;
    this.#session = session;
    this.#feed = feed;
    this.#open = open;
  }

  connectedCallback() {
    this.setAttribute("role", "banner");
    this.#pages.addEventListener("click", (event) => {
      event.preventDefault();
      this.#open({ pane: "pages" });
    });
    const clock = this.#api && h("span", { class: "clock", role: "group", "aria-label": "Clock" },
      this.#time, this.#run,
      button("+1h", () => this.#advance({ duration: "PT1H" }), { title: "One hour later" }),
      button("+1d", () => this.#advance({ duration: "P1D" }), { title: "One day later" }),
      button("+1 period", () => this.#advancePeriod(), { title: "One period of the subscription later" }));
    this.replaceChildren(brand(), this.#name, this.#who, ...(this.#api ? [this.#pages] : []), this.#state, h("span", { class: "grow" }),
      ...(clock ? [clock] : []), this.#warnings,
      ...(this.#api ? [button("Bug report", () => this.#saveReport(), { title: "Save the session and its journal, without secrets, as a file", class: "quiet" })] : []), button("?", openHelp, { "aria-label": "Help", title: "Keys", class: "quiet" }));
    this.#name.textContent = this.#api ? this.#session : this.#session === TRANSCRIPT ? "Transcript" : `Transcript of ${this.#session}`;
    this.#feed.addEventListener("change", (event) => {
      const { added } = /** @type {CustomEvent<FeedChange>} */ (event).detail;
      if (this.#api && added.some(({ kind }) => KINDS.includes(kind))) this.#reading.refresh();
      this.#countWarnings();
    });
    this.#feed.addEventListener("state", () => this.#showState());
    this.#countWarnings();
    this.#showState();
    if (this.#api) this.#reading.refresh(0);
    this.#ticking = setInterval(() => this.#tick(), 1000);
  }

  /** The name of the session. */
  get name() { return this.#name.textContent ?? ""; }

  /** Ends what it has started. */
  stop() {
    clearInterval(this.#ticking);
    this.#reading.stop();
  }

  /** Stops the clock of the session, or lets it run. */
  async toggleClock() {
    await this.#clock("PATCH", "", () => ({ frozen: !this.#known?.clock.frozen }));
  }

  async #saveReport() {
    const report = await /** @type {API} */ (this.#api).get(`${this.#path}/export?transcript=true`);
    save(`${this.#known?.name ?? this.#session}.json`, [JSON.stringify(report, null, 2)], "application/json");
  }

  /** @param {unknown} by */
  #advance(by) { return this.#clock("POST", "/advance", () => by); }

  async #advancePeriod() {
    const { purchases, subscriptions } = await /** @type {API} */ (this.#api).get(`${this.#path}/purchases`);
    const periods = subscriptions
      .map((/** @type {any} */ { purchase }) => purchases.find((/** @type {any} */ { id }) => id === purchase))
      .filter((/** @type {any} */ order) => order?.expiresAt)
      .map((/** @type {any} */ { purchasedAt, expiresAt }) => Date.parse(expiresAt) - Date.parse(purchasedAt));
    if (periods.length === 0) throw new Error("Nobody has a subscription in this session, so there is no period.");
    await this.#advance({ milliseconds: Math.min(...periods) });
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {() => unknown} body - returns the body of the request, when it is sent
   */
  #clock(method, path, body) {
    return this.#changes.add(async () => {
      if (!this.#known) return;
      const clock = await /** @type {API} */ (this.#api).call(method, `${this.#path}/clock${path}`, body());
      this.#take({ ...this.#known, clock });
    });
  }

  get #path() { return `/sessions/${encodeURIComponent(this.#session)}`; }

  async #read() {
    if (this.#feed.state === "ended") return;
    try {
      this.#take(await /** @type {API} */ (this.#api).get(this.#path));
    } catch (error) {
      // The journal ends as well, which the dashboard shows.
      if (!(error instanceof APIError && error.status === 404)) throw error;
    }
  }

  /** @param {any} session */
  #take(session) {
    this.#known = session;
    this.#readAt = Date.now();
    this.#name.textContent = session.name ?? session.id;
    this.dispatchEvent(new Event("name"));
    this.#who.textContent = [session.account ?? "signed out", session.storefront ?? "no storefront"].join(" · ");
    const count = session.pages.length;
    this.#pages.textContent = `${count > 0 ? "●" : "○"} ${counted(count, "page")}`;
    this.#run.textContent = session.clock.frozen ? "Run" : "Pause";
    this.#run.title = session.clock.frozen ? "The clock stands still. Let it run" : "Stop the clock";
    this.#tick();
  }

  #tick() {
    if (!this.#known) return;
    const { now, frozen } = this.#known.clock;
    const time = Date.parse(now) + (frozen ? 0 : Date.now() - this.#readAt);
    this.#time.textContent = dateAndTime(time);
    this.#time.dateTime = new Date(time).toISOString();
  }

  #countWarnings() {
    const found = this.#feed.entries.filter(({ kind }) => kind === "lint").map(({ data }) => data?.severity);
    const number = (/** @type {string} */ severity) => found.filter((each) => each === severity).length;
    const [errors, warnings] = [number("error"), number("warning")];
    const told = [errors > 0 && counted(errors, "error"), warnings > 0 && counted(warnings, "warning")].filter(Boolean).join(" and ");
    this.#warnings.textContent = `⚠ ${errors + warnings}`;
    this.#warnings.setAttribute("aria-label", `${told} of the linter`);
    this.#warnings.title = `The linter has found ${told}`;
    this.#warnings.hidden = errors + warnings === 0;
  }

  #showState() {
    const texts = { connecting: "connecting …", live: "", lost: "connection lost, trying again …", away: "the server was restarted, and this session is not back yet", restarted: "", ended: "this session has ended", file: "read from a file" };
    this.#state.textContent = texts[this.#feed.state];
  }
}
customElements.define("session-header", SessionHeader);
