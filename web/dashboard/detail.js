// One entry of the journal: its data, its causes and effects, and its JSON.

import { button, copy, h } from "./elements.js";
import { dateAndTime, isBad, mark, summary } from "./entry-text.js";
import { storeEffects } from "./store-effects.js";

/** @typedef {import("./feed.js").Feed} Feed */
/** @typedef {import("./filter.js").Entry} Entry */
/** @typedef {import("./address.js").Place} Place */

/**
 * Further actions for an entry. Panes add functions to this list; each returns a button, or null if it does not apply to the entry.
 * `bridges` reads those of the session; for a transcript, those of the server, if there is one.
 * @type {((entry: Entry, context: EntryContext & {feed: Feed}) => Node | null)[]}
 */
export const ENTRY_ACTIONS = [];

/**
 * `api` is null for a transcript; `path` is that of the session in the API.
 * @typedef {{bridges: () => Promise<import("./bridge-list.js").Bridge[]>, open: (place: Partial<Place>) => void, api: import("./api.js").API | null, path: string}} EntryContext
 */

/**
 * Whether the journal has an entry as it was. It replaces secrets, images and long texts by marks.
 * @param {Entry} entry
 */
export const isWhole = ({ data }) => !JSON.stringify(data ?? null).includes("‹");

/** The most entries that are listed as led to. */
const EFFECTS = 50;

export class DetailView extends HTMLElement {
  #feed;
  #context;
  /** @type {number | null} */
  #row = null;
  /** @type {Entry | undefined} */
  #shown;
  #effects = 0;

  /**
   * @param {Feed} feed
   * @param {EntryContext} context
   */
  constructor(feed, context) {
    super();
    this.#feed = feed;
    this.#context = context;
    feed.addEventListener("change", () => this.#paint());
  }

  /**
   * Shows the row of an address.
   * @param {Place} place
   */
  show({ row }) {
    if (row === this.#row && this.#shown) return;
    this.#row = row;
    this.#shown = undefined;
    this.#effects = -1;
    this.#paint();
  }

  #paint() {
    this.hidden = this.#row === null;
    if (this.#row === null) return;
    const entry = this.#feed.entry(this.#row);
    if (!entry) {
      if (this.#shown) return;
      return this.replaceChildren(this.#head(`#${this.#row}`), h("p", { class: "empty" },
        this.#feed.entries.length === 0 ? "Nothing has come yet." : "This entry is not there, or not any more."));
    }
    const effects = this.#feed.entries.filter(({ cause }) => cause === entry.cursor);
    if (entry === this.#shown && effects.length === this.#effects) return;
    [this.#shown, this.#effects] = [entry, effects.length];
    const { text: _, ...raw } = entry;
    const json = JSON.stringify(entry.error ?? entry.data ?? null, null, 2);
    const actions = ENTRY_ACTIONS.map((make) => make(entry, { ...this.#context, feed: this.#feed })).filter((node) => node !== null);
    this.replaceChildren(
      this.#head(`#${entry.cursor}`),
      h("p", { class: isBad(entry) ? "title bad" : "title" }, `${mark(entry)} ${entry.action ?? entry.kind}`),
      h("dl", {}, ...[["kind", entry.kind], ["time", `${dateAndTime(entry.time)} UTC`], ["page", entry.page], ["status", entry.status],
        ["id", entry.correlationId], ["note", entry.note]].flatMap(([name, value]) => value ? [h("dt", {}, name), h("dd", {}, value)] : [])),
      h("div", { class: "actions" }, ...actions, button("Copy JSON", () => copy(JSON.stringify(raw, null, 2))),
        button("Copy link", () => copy(location.href))),
      section("JSON", h("pre", { tabindex: "0", "aria-label": "Data" }, json)),
      ...this.#store(entry),
      section("Causes and effects", this.#causes(entry, effects)),
      h("details", {}, h("summary", {}, "Raw"), h("pre", { tabindex: "0", "aria-label": "The entry as it is" }, JSON.stringify(raw, null, 2))));
  }

  /**
   * The effect on the store, if there is one.
   * @param {Entry} entry
   */
  #store(entry) {
    const changes = storeEffects(this.#feed.entries, entry);
    if (changes.length === 0) return [];
    return [section("Effect on the store", h("table", { class: "effects" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "what"), h("th", { scope: "col" }, "before"), h("th", { scope: "col" }, "after"))),
      h("tbody", {}, ...changes.map(({ what, before, after, cursor }) => h("tr", {},
        h("th", { scope: "row" }, button(what, () => this.#context.open({ row: cursor }), { class: "link" })), h("td", {}, before), h("td", {}, after))))))];
  }

  /** @param {string} title */
  #head(title) {
    return h("div", { class: "head" }, h("h2", {}, title),
      button("×", () => this.#context.open({ row: null }), { class: "quiet", "aria-label": "Close the entry" }));
  }

  /**
   * @param {Entry} entry
   * @param {Entry[]} effects
   */
  #causes(entry, effects) {
    /** @type {HTMLElement[]} */
    const chain = [];
    for (let cause = entry.cause; cause !== undefined && chain.length < 20;) {
      const found = this.#feed.entry(cause);
      chain.unshift(found ? this.#link(found) : h("li", { class: "quiet" }, `#${cause} is gone`));
      cause = found?.cause;
    }
    return h("ol", { class: "chain" }, ...chain, h("li", { "aria-current": "true" }, `#${entry.cursor} ${entry.action ?? entry.kind}`),
      ...effects.slice(0, EFFECTS).map((effect) => this.#link(effect, "effect")),
      effects.length > EFFECTS && h("li", { class: "quiet" }, `and ${effects.length - EFFECTS} more`));
  }

  /**
   * @param {Entry} entry
   * @param {string} name
   */
  #link(entry, name = "") {
    return h("li", { class: name }, button(`#${entry.cursor} ${mark(entry)} ${entry.action ?? entry.kind}`, () => this.#context.open({ row: entry.cursor }),
      { class: "link", title: summary(entry) }));
  }
}
customElements.define("detail-view", DetailView);

/**
 * @param {string} title
 * @param {Node} content
 */
const section = (title, content) => h("section", {}, h("h3", {}, title), content);
