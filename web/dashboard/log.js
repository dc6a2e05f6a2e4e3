// The log: the journal as a list of rows, one for each story, which unfolds into its entries. Only the visible rows are in the document.

import { button, h, save } from "./elements.js";
import { counted } from "./entry-text.js";
import { readFilter, withWord } from "./filter.js";
import { FilterBar } from "./filter-bar.js";
import { fillRow, makeHeads, makeRow } from "./log-row.js";
import { Stories } from "./stories.js";

/** @typedef {import("./feed.js").Feed} Feed */
/** @typedef {import("./feed.js").FeedChange} FeedChange */
/** @typedef {import("./filter.js").Entry} Entry */
/** @typedef {import("./stories.js").Story} Story */
/** @typedef {import("./address.js").Place} Place */

/**
 * A row: the head of a story, or one of its entries.
 * @typedef {{story: Story, entry: Entry, isHead: boolean}} Row
 */

/** The height of a row in pixels, as in dashboard.css. */
const HEIGHT = 24;
/** The most rows in the document. */
const ROWS = 60;

/** Events: none; it goes to other places with `open`. */
export class LogView extends HTMLElement {
  #feed;
  #open;
  #stories = new Stories();
  /**
   * The rows, with those of unfolded stories.
   * @type {Row[]}
   */
  #rows = [];
  /** How many entries match the filter. */
  #matchCount = 0;
  /**
   * The stories whose entries are shown.
   * @type {Set<Story>}
   */
  #unfolded = new Set();
  #accepts = readFilter("");
  #filter = "";
  /** @type {number | null} */
  #row = null;
  /** Whether the list follows what is new. */
  #isLive = true;
  /** Whether the chosen row was not there yet when it was chosen, as after a reload. */
  #isSought = false;
  /** Where the list was scrolled to, if that was not the person's doing. */
  #placedAt = -1;
  /** How many rows came while it did not follow. */
  #unseen = 0;
  #isPainting = false;
  /**
   * Reused rows, in their order in the document.
   * @type {HTMLElement[]}
   */
  #pool = [];
  /** The index of the first row in the document. */
  #first = 0;

  #bar = new FilterBar({
    change: (filter) => this.#open({ filter }), enterRows: (isToChoose) => this.#enterRows(isToChoose),
    clear: () => {
      this.#open({ row: null, filter: withWord(this.#filter, "row", `${(this.#feed.entries.at(-1)?.cursor ?? 0) + 1}-`) });
      this.#follow(true);
    },
  });
  #count = h("span", { class: "quiet count" });
  #live = button("▶ live", () => this.#follow(!this.#isLive), { "aria-pressed": "true", title: "Follow what is new" });
  #save = button("⤓ jsonl", () => this.#download(), { title: "Save these entries as a transcript" });
  #new = button("", () => this.#follow(true), { class: "new", hidden: true });
  #gone = h("p", { class: "gone", hidden: true });
  #space = h("div", { class: "space", role: "none" });
  #list = h("div", { class: "list", role: "tree", tabindex: "0", "aria-label": "Journal" }, this.#space);

  /**
   * @param {Feed} feed
   * @param {(place: Partial<Place>) => void} open
   */
  constructor(feed, open) {
    super();
    this.#feed = feed;
    this.#open = open;
  }

  connectedCallback() {
    this.replaceChildren(
      h("div", { class: "tools" }, ...this.#bar.elements, this.#count, this.#live, this.#save), this.#gone, makeHeads(), h("div", { class: "frame" }, this.#list, this.#new));
    this.#list.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.#list.addEventListener("click", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const cursor = Number(target.closest("[data-cursor]")?.getAttribute("data-cursor"));
      const row = this.#rows[this.#indexOf(cursor)];
      if (!row) return;
      if (target.closest(".fold") && row.isHead) this.#fold(row.story, !this.#unfolded.has(row.story));
      else this.#open({ row: cursor });
    });
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    this.#feed.addEventListener("change", (event) => this.#changed(/** @type {CustomEvent<FeedChange>} */ (event).detail));
    this.#stories.add(this.#feed.entries);
    new ResizeObserver(() => {
      if (this.#isLive) this.#scrollToEnd();
      else if (this.#row !== null) this.#reveal(this.#row);
      this.#paint();
    }).observe(this.#list);
    this.#choose();
  }

  /**
   * Shows the filter and the row of an address.
   * @param {Place} place
   */
  show({ filter, row }) {
    if (filter !== this.#filter) {
      this.#filter = filter;
      this.#accepts = readFilter(filter);
      this.#bar.filter = filter;
      this.#choose();
    }
    if (row === this.#row) return;
    this.#row = row;
    // What is new would push a chosen row out of sight.
    this.#isLive = row === null && this.#isAtEnd;
    this.#isSought = row !== null && !this.#reveal(row);
    this.#paint();
  }

  /** Puts the cursor into the filter. */
  focusFilter() { this.#bar.focus(); }

  /** @param {boolean} isToChoose */
  #enterRows(isToChoose) {
    this.#list.focus();
    if (isToChoose && (this.#row === null || this.#indexOf(this.#row) < 0)) this.move(1);
  }

  /**
   * Goes to the next row, or to one before.
   * @param {number} step
   */
  move(step) {
    const index = this.#row === null ? -1 : this.#indexOf(this.#row);
    const next = index < 0 ? (step > 0 ? 0 : this.#rows.length - 1) : Math.min(Math.max(index + step, 0), this.#rows.length - 1);
    const row = this.#rows[next];
    if (row) this.#open({ row: row.entry.cursor });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -Infinity, End: Infinity });
    const step = steps[event.key];
    const row = this.#row === null ? undefined : this.#rows[this.#indexOf(this.#row)];
    if (step !== undefined) this.move(step);
    else if (event.key === "ArrowRight" && row) this.#fold(row.story, true);
    else if (event.key === "ArrowLeft" && row) this.#fold(row.story, false);
    else return;
    event.preventDefault();
  }

  /**
   * Shows the entries of a story, or only its head.
   * @param {Story} story
   * @param {boolean} isUnfolded
   */
  #fold(story, isUnfolded) {
    if (isUnfolded === this.#unfolded.has(story) || (isUnfolded && story.matches.length < 2)) return;
    this.#unfolded[isUnfolded ? "add" : "delete"](story);
    const head = story.matches[0];
    this.#arrange();
    // The chosen row goes with its story.
    if (!isUnfolded && head && this.#row !== null && this.#stories.of(this.#row) === story && this.#row !== head.cursor) this.#open({ row: head.cursor });
    this.#paint();
  }

  /** Finds the entries again that the filter takes. */
  #choose() {
    this.#matchCount = 0;
    for (const story of this.#stories.all) {
      story.matches = this.#filter ? story.entries.filter(this.#accepts) : [...story.entries];
      story.row = undefined;
      this.#matchCount += story.matches.length;
    }
    this.#unseen = 0;
    this.#arrange();
    if (this.#isLive) this.#scrollToEnd();
    else if (this.#row !== null) this.#isSought = !this.#reveal(this.#row);
    this.#paint();
  }

  /** Makes the list of rows anew. */
  #arrange() {
    const rows = [];
    for (const story of this.#stories.all) {
      const [head, ...others] = this.#unfolded.has(story) ? story.matches : story.matches.slice(0, 1);
      if (!head) continue;
      if (story.row?.entry !== head) story.row = { story, entry: head, isHead: true };
      rows.push(story.row);
      for (const entry of others) rows.push({ story, entry, isHead: false });
    }
    this.#rows = rows;
    this.#space.style.height = `${rows.length * HEIGHT}px`;
  }

  /** @param {FeedChange} change */
  #changed({ added, removed }) {
    const count = this.#rows.length;
    this.#stories.add(added);
    for (const entry of added) {
      if (!this.#accepts(entry)) continue;
      this.#stories.of(entry.cursor)?.matches.push(entry);
      this.#matchCount += 1;
    }
    let gone = 0;
    if (removed > 0) {
      const first = this.#feed.entries[0]?.cursor ?? Infinity;
      this.#stories.forget(first);
      gone = this.#rows.filter(({ story, entry, isHead }) => isHead ? story.matches.length === 0 : entry.cursor < first).length;
      for (const story of this.#unfolded) if (story.entries.length === 0) this.#unfolded.delete(story);
      this.#matchCount = this.#stories.all.reduce((sum, { matches }) => sum + matches.length, 0);
    }
    this.#arrange();
    if (this.#isLive) {
      this.#scrollToEnd();
    } else if (this.#isSought && this.#row !== null) {
      this.#isSought = !this.#reveal(this.#row);
    } else {
      // The visible rows keep their place on the screen.
      if (gone > 0) this.#scrollTo(this.#list.scrollTop - gone * HEIGHT);
      this.#unseen += Math.max(0, this.#rows.length + gone - count);
    }
    this.#paint();
  }

  /** @param {boolean} isLive */
  #follow(isLive) {
    this.#isLive = isLive;
    if (isLive) {
      this.#unseen = 0;
      this.#isSought = false;
      this.#scrollToEnd();
    }
    this.#paint();
  }

  get #isAtEnd() { return this.#list.scrollTop + this.#list.clientHeight >= this.#rows.length * HEIGHT - HEIGHT; }

  #scrollToEnd() { this.#scrollTo(this.#rows.length * HEIGHT); }

  /** @param {number} top */
  #scrollTo(top) {
    this.#list.scrollTop = top;
    this.#placedAt = this.#list.scrollTop;
  }

  #scrolled() {
    const isPersons = this.#list.scrollTop !== this.#placedAt;
    this.#placedAt = -1;
    if (isPersons && this.#isAtEnd !== this.#isLive && this.#list.clientHeight > 0) this.#follow(this.#isAtEnd);
    else this.#paint();
  }

  /**
   * The index of the row of an entry; -1 if it has none.
   * @param {number} cursor
   */
  #indexOf(cursor) {
    const story = this.#stories.of(cursor);
    return story ? this.#rows.findIndex((row) => row.story === story && row.entry.cursor === cursor) : -1;
  }

  /**
   * Scrolls by the smallest distance that shows a row. Unfolds its story if it must.
   * @param {number} cursor
   * @returns {boolean} whether the row is there
   */
  #reveal(cursor) {
    const story = this.#stories.of(cursor);
    if (story && story.matches[0]?.cursor !== cursor && story.matches.some((entry) => entry.cursor === cursor)) this.#fold(story, true);
    const index = this.#indexOf(cursor);
    if (index < 0) return false;
    const { scrollTop, clientHeight } = this.#list;
    const top = index * HEIGHT;
    if (top < scrollTop) this.#scrollTo(top);
    else if (top + HEIGHT > scrollTop + clientHeight) this.#scrollTo(top + HEIGHT - clientHeight);
    return true;
  }

  /** Draws the rows in sight, with the next frame. */
  #paint() {
    if (this.#isPainting) return;
    this.#isPainting = true;
    requestAnimationFrame(() => {
      this.#isPainting = false;
      this.#draw();
    });
  }

  #draw() {
    const { scrollTop, clientHeight } = this.#list;
    const inSight = Math.ceil(clientHeight / HEIGHT) + 1;
    const margin = Math.max(0, Math.floor((ROWS - inSight) / 2));
    const first = Math.max(0, Math.floor(scrollTop / HEIGHT) - margin);
    const last = Math.min(this.#rows.length, first + inSight + 2 * margin);
    while (this.#pool.length < last - first) this.#pool.push(makeRow());
    this.#shift(first);
    const rows = this.#pool.slice(0, last - first);
    rows.forEach((row, index) => {
      const shown = /** @type {Row} */ (this.#rows[first + index]);
      fillRow(row, shown, this.#unfolded.has(shown.story), shown.entry.cursor === this.#row);
      row.style.transform = `translateY(${(first + index) * HEIGHT}px)`;
      row.setAttribute("aria-posinset", String(first + index + 1));
      row.setAttribute("aria-setsize", String(this.#rows.length));
      // A row that was not in sight for a while can have lost its place.
      const former = rows[index - 1];
      if (former && former.nextElementSibling !== row) former.after(row);
      else if (!former && this.#space.firstElementChild !== row) this.#space.prepend(row);
    });
    for (const row of this.#pool.slice(rows.length)) row.remove();
    const chosen = rows.find((row) => row.ariaSelected === "true");
    if (chosen) this.#list.setAttribute("aria-activedescendant", chosen.id);
    else this.#list.removeAttribute("aria-activedescendant");
    const all = this.#feed.entries.length;
    const total = counted(all, "entry", "entries");
    this.#count.textContent = this.#matchCount === all ? total : `${this.#matchCount.toLocaleString("en")} of ${total}`;
    this.#live.setAttribute("aria-pressed", String(this.#isLive));
    this.#new.hidden = this.#unseen === 0;
    this.#new.textContent = `${this.#unseen.toLocaleString("en")} new ↓`;
    this.#gone.hidden = this.#feed.dropped === 0;
    this.#gone.textContent = `${counted(this.#feed.dropped, "earlier entry was", "earlier entries were")} dropped: the latest 10,000, or 8 MiB, are kept.`;
  }

  /**
   * Moves the elements of rows that go out of sight to the other end, so that the others stay as they are.
   * @param {number} first - the index of the first row from now on
   */
  #shift(first) {
    const step = first - this.#first;
    this.#first = first;
    if (step === 0 || Math.abs(step) >= this.#pool.length) return;
    const moved = step > 0 ? this.#pool.splice(0, step) : this.#pool.splice(step);
    this.#pool[step > 0 ? "push" : "unshift"](...moved);
    this.#space[step > 0 ? "append" : "prepend"](...moved);
  }

  #download() {
    const lines = this.#feed.entries.filter(this.#accepts).map(({ text: _, ...entry }) => `${JSON.stringify(entry)}\n`);
    save("footbridge.jsonl", lines, "application/jsonl");
  }
}
customElements.define("log-view", LogView);
