// The log: the journal as a list of rows. Only the visible rows are in the document.

import { button, h, save } from "./elements.js";
import { counted, isBad, mark, summary, timeOfDay } from "./entry-text.js";
import { readFilter } from "./filter.js";

/** @typedef {import("./feed.js").Feed} Feed */
/** @typedef {import("./feed.js").FeedChange} FeedChange */
/** @typedef {import("./filter.js").Entry} Entry */
/** @typedef {import("./address.js").Place} Place */

/** The height of a row in pixels, as in dashboard.css. */
const HEIGHT = 24;
/** The most rows in the document. */
const ROWS = 60;

/** Events: none; it goes to other places with `open`. */
export class LogView extends HTMLElement {
  #feed;
  #open;
  /**
   * The entries that match the filter.
   * @type {Entry[]}
   */
  #entries = [];
  #accepts = readFilter("");
  #filter = "";
  /** @type {number | null} */
  #row = null;
  /** Whether the list follows what is new. */
  #isLive = true;
  /** How many entries came while it did not. */
  #unseen = 0;
  #isPainting = false;
  /**
   * Reused rows, by their position.
   * @type {HTMLElement[]}
   */
  #pool = [];

  #field = h("input", { type: "search", class: "filter", placeholder: "kind: action: -text", "aria-label": "Filter the log", spellcheck: "false", autocomplete: "off", "aria-keyshortcuts": "/" });
  #count = h("span", { class: "quiet count" });
  #live = button("▶ live", () => this.#follow(!this.#isLive), { "aria-pressed": "true", title: "Follow what is new" });
  #save = button("⤓ jsonl", () => this.#download(), { title: "Save these entries as a transcript" });
  #new = button("", () => this.#follow(true), { class: "new", hidden: true });
  #gone = h("p", { class: "gone", hidden: true });
  #space = h("div", { class: "space", role: "none" });
  #list = h("div", { class: "list", role: "listbox", tabindex: "0", "aria-label": "Journal" }, this.#space);

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
      h("div", { class: "tools" }, this.#field, this.#count, this.#live, this.#save), this.#gone, h("div", { class: "frame" }, this.#list, this.#new));
    this.#field.addEventListener("input", () => this.#open({ filter: this.#field.value }));
    this.#field.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#field.value === "") this.#list.focus();
    });
    this.#list.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.#list.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest("[data-cursor]");
      if (row) this.#open({ row: Number(row.getAttribute("data-cursor")) });
    });
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    this.#feed.addEventListener("change", (event) => this.#changed(/** @type {CustomEvent<FeedChange>} */ (event).detail));
    new ResizeObserver(() => this.#follow(this.#isLive)).observe(this.#list);
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
      if (this.#field.value !== filter) this.#field.value = filter;
      this.#choose();
    }
    if (row === this.#row) return;
    this.#row = row;
    if (row !== null) this.#reveal(row);
    this.#paint();
  }

  /** Puts the cursor into the filter. */
  focusFilter() {
    this.#field.focus();
    this.#field.select();
  }

  /**
   * Goes to the next row, or to one before.
   * @param {number} step
   */
  move(step) {
    const index = this.#row === null ? -1 : this.#indexOf(this.#row);
    const next = index < 0 ? (step > 0 ? 0 : this.#entries.length - 1) : Math.min(Math.max(index + step, 0), this.#entries.length - 1);
    const entry = this.#entries[next];
    if (entry) this.#open({ row: entry.cursor });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const steps = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -Infinity, End: Infinity });
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.move(step);
  }

  /** Finds the entries again that the filter takes. */
  #choose() {
    this.#entries = this.#feed.entries.filter(this.#accepts);
    this.#unseen = 0;
    this.#space.style.height = `${this.#entries.length * HEIGHT}px`;
    if (this.#row !== null && this.#indexOf(this.#row) >= 0) this.#reveal(this.#row);
    else if (this.#isLive) this.#list.scrollTop = this.#space.offsetHeight;
    this.#paint();
  }

  /** @param {FeedChange} change */
  #changed({ added, removed }) {
    const taken = added.filter(this.#accepts);
    this.#entries.push(...taken);
    let gone = 0;
    if (removed > 0) {
      const first = this.#feed.entries[0]?.cursor ?? Infinity;
      while (gone < this.#entries.length && /** @type {Entry} */ (this.#entries[gone]).cursor < first) gone += 1;
      this.#entries.splice(0, gone);
    }
    this.#space.style.height = `${this.#entries.length * HEIGHT}px`;
    if (this.#isLive) {
      this.#list.scrollTop = this.#entries.length * HEIGHT;
    } else {
      // The visible rows keep their place on the screen.
      if (gone > 0) this.#list.scrollTop = Math.max(0, this.#list.scrollTop - gone * HEIGHT);
      this.#unseen += taken.length;
    }
    this.#paint();
  }

  /** @param {boolean} isLive */
  #follow(isLive) {
    this.#isLive = isLive;
    if (isLive) {
      this.#unseen = 0;
      this.#list.scrollTop = this.#entries.length * HEIGHT;
    }
    this.#paint();
  }

  #scrolled() {
    const isAtEnd = this.#list.scrollTop + this.#list.clientHeight >= this.#entries.length * HEIGHT - HEIGHT;
    if (isAtEnd !== this.#isLive && this.#list.clientHeight > 0) this.#follow(isAtEnd);
    else this.#paint();
  }

  /** @param {number} cursor */
  #indexOf(cursor) {
    let [low, high] = [0, this.#entries.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = /** @type {Entry} */ (this.#entries[middle]).cursor;
      if (found === cursor) return middle;
      if (found < cursor) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /**
   * Scrolls by the smallest distance that shows a row.
   * @param {number} cursor
   */
  #reveal(cursor) {
    const index = this.#indexOf(cursor);
    if (index < 0) return;
    const { scrollTop, clientHeight } = this.#list;
    const top = index * HEIGHT;
    if (top < scrollTop) this.#list.scrollTop = top;
    else if (top + HEIGHT > scrollTop + clientHeight) this.#list.scrollTop = top + HEIGHT - clientHeight;
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
    const last = Math.min(this.#entries.length, first + inSight + 2 * margin);
    while (this.#pool.length < last - first) this.#pool.push(makeRow());
    const rows = this.#pool.slice(0, last - first);
    rows.forEach((row, index) => {
      const entry = /** @type {Entry} */ (this.#entries[first + index]);
      fill(row, entry, entry.cursor === this.#row);
      row.style.transform = `translateY(${(first + index) * HEIGHT}px)`;
      row.setAttribute("aria-posinset", String(first + index + 1));
      row.setAttribute("aria-setsize", String(this.#entries.length));
      if (row.parentNode !== this.#space) this.#space.append(row);
    });
    for (const row of this.#pool.slice(rows.length)) row.remove();
    const chosen = rows.find((row) => row.ariaSelected === "true");
    if (chosen) this.#list.setAttribute("aria-activedescendant", chosen.id);
    else this.#list.removeAttribute("aria-activedescendant");
    const all = this.#feed.entries.length;
    const total = counted(all, "entry", "entries");
    this.#count.textContent = this.#entries.length === all ? total : `${this.#entries.length.toLocaleString("en")} of ${total}`;
    this.#live.setAttribute("aria-pressed", String(this.#isLive));
    this.#new.hidden = this.#unseen === 0;
    this.#new.textContent = `${this.#unseen.toLocaleString("en")} new ↓`;
    this.#gone.hidden = this.#feed.dropped === 0;
    this.#gone.textContent = `${counted(this.#feed.dropped, "earlier entry was", "earlier entries were")} dropped: the latest 10,000, or 8 MiB, are kept.`;
  }

  #download() {
    const lines = this.#entries.map(({ text: _, ...entry }) => `${JSON.stringify(entry)}\n`);
    save("footbridge.jsonl", lines, "application/jsonl");
  }
}
customElements.define("log-view", LogView);

function makeRow() {
  return h("div", { class: "entry", role: "option" }, h("span", { class: "cursor" }), h("span", { class: "time" }), h("span", { class: "mark", "aria-hidden": "true" }),
    h("span", { class: "kind" }), h("span", { class: "action" }), h("span", { class: "summary" }), h("span", { class: "page" }));
}

/**
 * @param {HTMLElement} row
 * @param {Entry} entry
 * @param {boolean} isChosen
 */
function fill(row, entry, isChosen) {
  const cursor = String(entry.cursor);
  row.ariaSelected = String(isChosen);
  if (row.dataset.cursor === cursor) return;
  row.dataset.cursor = cursor;
  row.id = `entry-${cursor}`;
  row.dataset.kind = entry.kind;
  row.classList.toggle("bad", isBad(entry));
  // A session that has moved has long cursors, of which the ends differ.
  const shown = cursor.length > 6 ? `…${cursor.slice(-4)}` : cursor;
  const texts = [`#${shown}`, timeOfDay(entry.time), mark(entry), entry.kind, entry.action ?? "", summary(entry), entry.page ?? ""];
  texts.forEach((text, index) => { /** @type {Element} */ (row.children[index]).textContent = text; });
}
