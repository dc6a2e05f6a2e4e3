// One session, or a transcript: header, timeline, cards of waiting sheets, log, entry, panes.

import { writeAddress } from "./address.js";
import { DetailView } from "./detail.js";
import { h, say } from "./elements.js";
import { SessionHeader } from "./header.js";
import { Keyboard, openHelp } from "./keyboard.js";
import { LogView } from "./log.js";
import { NeedsView } from "./needs.js";
import { PANES } from "./panes/index.js";
import { StageView } from "./stage-view.js";
import { TimelineView } from "./timeline.js";

/** @typedef {import("./address.js").Place} Place */
/** @typedef {import("./api.js").API} API */
/** @typedef {import("./feed.js").Feed} Feed */
/** @typedef {import("./panes/pane.js").Pane} Pane */

export class SessionView extends HTMLElement {
  #api;
  #session;
  #feed;
  #open;
  #header;
  #timeline;
  #needs;
  #log;
  #detail;
  #stage;
  #keyboard;
  #tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Panes" });
  #panel = h("div", { class: "panel" });
  /** The panes that it can have. A transcript has those that need no server. */
  #offered;
  /**
   * The opened panes, by name.
   * @type {Map<string, Pane>}
   */
  #panes = new Map();

  /**
   * @param {API | null} api - null for a transcript
   * @param {string} session
   * @param {Feed} feed
   * @param {(place: Partial<Place>) => void} open
   * @param {() => Promise<import("./bridge-list.js").Bridge[]>} bridges - reads what is known of the bridges
   */
  constructor(api, session, feed, open, bridges) {
    super();
    this.#api = api;
    this.#session = session;
    this.#feed = feed;
    this.#open = open;
    this.#offered = api ? PANES : PANES.filter(({ element }) => element.readsTranscripts);
    this.#header = new SessionHeader(api, session, feed, open);
    this.#timeline = new TimelineView(feed, open);
    this.#needs = api && new NeedsView(api, session, feed, open);
    this.#log = new LogView(feed, open);
    this.#detail = new DetailView(feed, { bridges, open, api, path: `/sessions/${encodeURIComponent(session)}` });
    this.#stage = api && new StageView(api, session, feed);
    this.#keyboard = new Keyboard({
      log: this.#log, header: this.#header, needs: this.#needs, open, openPane: (name) => this.#openPane(name),
      closeEntry: () => this.#open({ row: null }),
    });
  }

  connectedCallback() {
    this.#tabs.replaceChildren(...this.#offered.map(({ name, key, element }) => {
      const tab = h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `pane-${name}`, "aria-keyshortcuts": `g ${key}` }, element.title, h("span", { class: "badge" }));
      tab.addEventListener("click", () => this.#openPane(name));
      return tab;
    }));
    this.#tabs.addEventListener("keydown", (event) => this.#moveTab(event));
    this.#header.addEventListener("name", () => this.#showTitle());
    this.#needs?.addEventListener("count", () => this.#showTitle());
    this.replaceChildren(
      this.#header,
      h("main", {},
        this.#timeline,
        h("div", { class: "columns" },
          h("div", { class: "work" },
            h("div", { class: this.#needs ? "upper" : "upper alone" }, ...(this.#needs ? [this.#needs] : []), this.#log),
            h("div", { class: "lower" }, this.#tabs, this.#panel)),
          this.#detail, ...(this.#stage ? [this.#stage] : []))));
    for (const type of ["open", "close"]) this.#stage?.addEventListener(type, () => this.classList.toggle("with-stage", this.#stage?.isOpen));
    this.#keyboard.listen();
    this.#showTitle();
  }

  disconnectedCallback() {
    this.#keyboard.stop();
    this.#header.stop();
    this.#feed.close();
  }

  /**
   * Shows the place in an address.
   * @param {Place} place
   */
  show(place) {
    this.#log.show(place);
    this.#detail.show(place);
    this.#timeline.show(place);
    this.classList.toggle("with-detail", place.row !== null);
    this.#showPane(this.#offers(place.pane) ? place.pane : /** @type {string} */ (this.#offered[0]?.name));
  }

  /** The title of the tab has the name of the session, and how much waits for the person. */
  #showTitle() {
    const count = this.#needs?.count ?? 0;
    for (const { name } of this.#offered) {
      const count = this.#needs?.countOf(name) ?? 0;
      const badge = document.getElementById(`tab-${name}`)?.querySelector(".badge");
      if (badge) badge.textContent = count > 0 ? String(count) : "";
    }
    document.title = `${count > 0 ? `(${count}) ` : ""}${this.#header.name} · Footbridge`;
  }

  /** @param {string} pane */
  #offers(pane) { return this.#offered.some(({ name }) => name === pane); }

  /** @param {string} name */
  #openPane(name) {
    if (name === "sessions") return void (location.hash = writeAddress({ session: null }));
    if (name === "help") return openHelp();
    if (!this.#offers(name)) return say("A transcript has no such pane.");
    this.#open({ pane: name });
    document.getElementById(`tab-${name}`)?.focus();
  }

  /** @param {string} name */
  #showPane(name) {
    const found = this.#offered.find((pane) => pane.name === name);
    if (!found) return;
    let pane = this.#panes.get(name);
    if (!pane) {
      pane = new found.element();
      pane.id = `pane-${name}`;
      pane.classList.add("pane");
      pane.setAttribute("role", "tabpanel");
      pane.setAttribute("aria-labelledby", `tab-${name}`);
      pane.attach({ api: this.#api, session: this.#session, feed: this.#feed, open: this.#open, stage: this.#stage });
      this.#panes.set(name, pane);
      this.#panel.append(pane);
    }
    for (const [other, element] of this.#panes) element.shown = other === name;
    for (const tab of this.#tabs.children) {
      const isChosen = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", String(isChosen));
      /** @type {HTMLElement} */ (tab).tabIndex = isChosen ? 0 : -1;
    }
  }

  /** @param {KeyboardEvent} event */
  #moveTab(event) {
    const step = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1 })[event.key];
    const index = [...this.#tabs.children].findIndex((tab) => tab === document.activeElement);
    if (step === undefined || index < 0) return;
    event.preventDefault();
    const next = this.#offered[(index + step + this.#offered.length) % this.#offered.length];
    if (next) this.#openPane(next.name);
  }
}
customElements.define("session-view", SessionView);
