// The timeline: calls, sheets, the payment queue with one lane for each transaction, and the clock. Time goes from left to right, and each entry
// has the same width, because the clock of a session may stand still or jump by a month. Dragging over it narrows it and the log to these
// entries, a double click on a bar to those of the bar.

import { button, h } from "./elements.js";
import { timeOfDay } from "./entry-text.js";
import { withWord } from "./filter.js";
import { Lanes } from "./lanes.js";
import { durationText } from "./story-text.js";

/** @typedef {import("./feed.js").Feed} Feed */
/** @typedef {import("./feed.js").FeedChange} FeedChange */
/** @typedef {import("./lanes.js").Bar} Bar */
/** @typedef {import("./address.js").Place} Place */

const LANE = 7;
const GUTTER = 52;
/** The widest that an entry is, in pixels. */
const WIDEST = 16;
/** How often it is drawn, at most, in milliseconds. */
const PAUSE = 200;

/** What each colour means, as in dashboard.css. */
const LEGEND = [["call", "page calls"], ["host", "native asks"], ["event", "event"], ["sheet", "sheet, waits"], ["good", "paid"], ["bad", "failed"], ["clock", "clock"]];

export class TimelineView extends HTMLElement {
  #feed;
  #open;
  #lanes = new Lanes();
  #listening = new AbortController();
  #canvas = document.createElement("canvas");
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Place} */
  #place = { session: null, pane: "", filter: "", row: null };
  /**
   * The start and the present end of a drag, in pixels.
   * @type {{from: number, to: number} | null}
   */
  #drag = null;
  /**
   * The lanes that were drawn, each with its distance from the top in pixels.
   * @type {{y: number, bars: Bar[]}[]}
   */
  #drawn = [];
  #tip = h("div", { class: "tip", hidden: true });
  #all = button("Whole time", () => this.#narrow(""), { class: "all", hidden: true, title: "Show all entries again" });

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
    const canvas = this.#canvas;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "slider");
    canvas.setAttribute("aria-label", "Timeline");
    canvas.setAttribute("aria-keyshortcuts", "Enter Escape");
    this.replaceChildren(canvas, h("ul", { class: "legend", "aria-label": "Colours", title: "Drag to see a part. Double click on a bar to see its time" },
      ...LEGEND.map(([name, text]) => h("li", { class: name }, text))), this.#all, this.#tip);
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#drag = { from: event.offsetX, to: event.offsetX };
    });
    canvas.addEventListener("pointermove", (event) => {
      this.#showTip(event.offsetX, event.offsetY);
      if (!this.#drag) return;
      this.#drag.to = event.offsetX;
      this.#draw();
    });
    canvas.addEventListener("pointerleave", () => { this.#tip.hidden = true; });
    canvas.addEventListener("dblclick", (event) => {
      const bar = this.#barAt(event.offsetX, event.offsetY);
      if (bar) this.#narrowTo(bar);
    });
    canvas.addEventListener("pointerup", () => this.#dropped());
    canvas.addEventListener("pointercancel", () => { this.#drag = null; });
    canvas.addEventListener("keydown", (event) => this.#key(event));
    this.#lanes.add(this.#feed.entries);
    this.#feed.addEventListener("change", (event) => {
      const { added, removed } = /** @type {CustomEvent<FeedChange>} */ (event).detail;
      this.#lanes.add(added);
      this.#lanes.forget(removed);
      this.#paint();
    });
    new ResizeObserver(() => this.#paint(0)).observe(this);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#paint(0), { signal: this.#listening.signal });
  }

  disconnectedCallback() { this.#listening.abort(); }

  /**
   * Marks the row and the range of an address.
   * @param {Place} place
   */
  show(place) {
    this.#place = place;
    this.#paint(0);
  }

  #dropped() {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag) return;
    const [first, last] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)].map((x) => this.#entryAt(x)?.cursor);
    if (first === undefined || last === undefined) return;
    if (Math.abs(drag.to - drag.from) < 4) this.#open({ row: last });
    else this.#narrow(`${first}-${last}`);
  }

  /**
   * Shows only these entries, here and in the log.
   * @param {string} range - as in the filter; empty for all
   */
  #narrow(range) { this.#open({ filter: withWord(this.#place.filter, "row", range) }); }

  /** @param {Bar} bar */
  #narrowTo({ from, to }) {
    const { first, end } = this.#lanes;
    const { entries } = this.#feed;
    const [begin, last] = [entries[Math.max(from, first) - first], entries[Math.min(to, end) - first - 1]];
    if (begin && last) this.#narrow(`${begin.cursor}-${last.cursor}`);
  }

  /**
   * The bar at a place of the canvas.
   * @param {number} x
   * @param {number} y
   */
  #barAt(x, y) {
    const lane = this.#drawn.find((each) => y >= each.y && y < each.y + LANE);
    const { low, scale } = this.#window;
    const number = this.#lanes.first + low + (x - GUTTER) / scale;
    // A short bar is 2 pixels wide.
    return x < GUTTER ? undefined : lane?.bars.filter(({ from, to }) => from <= number && number < Math.max(to, from + 2 / scale)).at(-1);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #showTip(x, y) {
    const bar = this.#drag ? undefined : this.#barAt(x, y);
    this.#tip.hidden = !bar;
    if (!bar) return;
    const { first, end } = this.#lanes;
    const { entries } = this.#feed;
    const [begin, last] = [entries[Math.max(bar.from, first) - first], entries[Math.min(bar.to, end) - first - 1]];
    if (!begin || !last) return;
    const length = bar.to === Infinity ? "goes on" : durationText(Math.max(0, last.time - begin.time));
    this.#tip.textContent = `${begin.action ?? begin.kind} · ${timeOfDay(begin.time)} – ${bar.to === Infinity ? "…" : timeOfDay(last.time)} · ${length}`;
    this.#tip.style.left = `${Math.max(4, Math.min(x + 12, this.clientWidth - this.#tip.offsetWidth - 4))}px`;
    this.#tip.style.top = `${y + 14}px`;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape" && this.#range) {
      event.preventDefault();
      return this.#narrow("");
    }
    if (event.key === "Enter") {
      event.preventDefault();
      const number = this.#place.row === null ? -1 : this.#feed.index(this.#place.row) + this.#lanes.first;
      const bar = this.#lanes.calls.flat().filter(({ from, to }) => from <= number && number < to).at(-1);
      return bar && this.#narrowTo(bar);
    }
    const step = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 20, PageDown: -20, Home: -Infinity, End: Infinity })[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const { entries } = this.#feed;
    const index = this.#place.row === null ? entries.length - 1 : this.#feed.index(this.#place.row);
    const entry = entries[Math.min(Math.max(index + step, 0), entries.length - 1)];
    if (entry) this.#open({ row: entry.cursor });
  }

  /**
   * The first and the last entry that the filter narrows to.
   * @returns {[number, number] | null}
   */
  get #range() {
    const [, first, last] = /(?:^|\s)row:(\d+)-(\d*)/u.exec(this.#place.filter) ?? [];
    return first === undefined ? null : [Number(first), last ? Number(last) : Infinity];
  }

  /** The indexes of the shown entries, and the width of an entry in pixels. */
  get #window() {
    const { entries } = this.#feed;
    const range = this.#range;
    const place = (/** @type {number} */ first) => {
      const index = entries.findIndex(({ cursor }) => cursor >= first);
      return index < 0 ? entries.length : index;
    };
    const [low, high] = range ? [place(range[0]), place(range[1] + 1)] : [0, entries.length];
    const width = this.#canvas.clientWidth - GUTTER;
    return { low, high, scale: Math.min(range ? 4 * WIDEST : WIDEST, width / Math.max(1, high - low)) };
  }

  /** @param {number} x */
  #entryAt(x) {
    const { entries } = this.#feed;
    const { low, high, scale } = this.#window;
    const index = low + Math.floor((x - GUTTER) / scale);
    return entries[Math.min(Math.max(index, low), high - 1)];
  }

  #paint(pause = PAUSE) {
    if (this.#timer === undefined) this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#draw();
    }, pause);
  }

  #draw() {
    const context = this.#canvas.getContext("2d");
    const [width, height] = [this.clientWidth, this.clientHeight];
    if (!context || width === 0) return;
    const ratio = devicePixelRatio;
    if (this.#canvas.width !== Math.round(width * ratio) || this.#canvas.height !== Math.round(height * ratio)) {
      this.#canvas.width = Math.round(width * ratio);
      this.#canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const style = getComputedStyle(this);
    const color = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`);
    const { low, high, scale } = this.#window;
    const { first, end, calls, sheets, clock, transactions } = this.#lanes;
    const x = (/** @type {number} */ index) => GUTTER + (index - low) * scale;
    const [begins, ends] = [first + low, first + high];
    this.#drawn = [];
    this.#all.hidden = !this.#range;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    let y = 6;
    const lane = (/** @type {string} */ name, /** @type {Bar[][]} */ rows) => {
      context.fillStyle = color("ink-2");
      context.fillText(name, 6, y + (rows.length * LANE) / 2);
      for (const row of rows) {
        let drawn = -1;
        this.#drawn.push({ y, bars: row });
        for (const { from, to, tone } of row) {
          if (to <= begins || from >= ends) continue;
          const left = x(Math.max(from, begins) - first);
          const width = Math.max(2, (Math.min(to, end, ends) - Math.max(from, begins)) * scale - (scale > 4 ? 1 : 0));
          // Thousands of entries may share a pixel. One of them is drawn.
          if (width <= 2 && tone !== "bad" && left - drawn < 1) continue;
          drawn = left;
          context.fillStyle = colors[tone] ??= color(tone);
          context.fillRect(left, y + 1, width, LANE - 2);
        }
        y += LANE;
      }
      y += 4;
    };
    /** @type {Record<string, string>} */
    const colors = {};
    lane("calls", calls);
    lane("sheets", [sheets]);
    lane("queue", transactions.length > 0 ? transactions : [[]]);
    lane("clock", [clock]);
    this.#drawMarks(context, x, height, color);
    this.#describe(this.#lanes.callCount, sheets.length, transactions.length);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(index: number) => number} x
   * @param {number} height
   * @param {(name: string) => string} color
   */
  #drawMarks(context, x, height, color) {
    context.fillStyle = color("shade");
    if (this.#drag) context.fillRect(Math.min(this.#drag.from, this.#drag.to), 0, Math.abs(this.#drag.to - this.#drag.from), height);
    if (this.#place.row === null) return;
    const index = this.#feed.index(this.#place.row);
    if (index < 0 || x(index) < GUTTER) return;
    context.fillStyle = color("accent");
    context.fillRect(x(index), 0, 1.5, height);
  }

  /**
   * @param {number} calls
   * @param {number} sheets
   * @param {number} transactions
   */
  #describe(calls, sheets, transactions) {
    const { entries } = this.#feed;
    const chosen = this.#place.row === null ? entries.at(-1) : this.#feed.entry(this.#place.row);
    const canvas = this.#canvas;
    canvas.setAttribute("aria-valuemin", String(entries[0]?.cursor ?? 0));
    canvas.setAttribute("aria-valuemax", String(entries.at(-1)?.cursor ?? 0));
    canvas.setAttribute("aria-valuenow", String(chosen?.cursor ?? 0));
    canvas.setAttribute("aria-valuetext", chosen ? `${chosen.cursor}, ${timeOfDay(chosen.time)}, ${chosen.action ?? chosen.kind}; ${calls} calls, ${sheets} sheets, ${transactions} transactions` : "nothing yet");
  }
}
customElements.define("timeline-view", TimelineView);
