// The timeline: calls, sheets, the payment queue with one lane for each transaction, and the clock. Time goes from left to right, and each entry
// has the same width, because the clock of a session may stand still or jump by a month. Dragging over it filters the log.

import { timeOfDay } from "./entry-text.js";
import { withWord } from "./filter.js";
import { Lanes } from "./lanes.js";

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
    canvas.title = "Drag to filter the log";
    this.replaceChildren(canvas);
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#drag = { from: event.offsetX, to: event.offsetX };
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.#drag) return;
      this.#drag.to = event.offsetX;
      this.#draw();
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
    if (Math.abs(drag.to - drag.from) < 4) this.#open({ row: last, filter: withWord(this.#place.filter, "row", "") });
    else this.#open({ filter: withWord(this.#place.filter, "row", `${first}-${last}`) });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 20, PageDown: -20, Home: -Infinity, End: Infinity })[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const { entries } = this.#feed;
    const index = this.#place.row === null ? entries.length - 1 : this.#feed.index(this.#place.row);
    const entry = entries[Math.min(Math.max(index + step, 0), entries.length - 1)];
    if (entry) this.#open({ row: entry.cursor });
  }

  /** The width of an entry in pixels. */
  get #scale() { return Math.min(WIDEST, (this.#canvas.clientWidth - GUTTER) / Math.max(1, this.#feed.entries.length)); }

  /** @param {number} x */
  #entryAt(x) {
    const { entries } = this.#feed;
    const index = Math.floor((x - GUTTER) / this.#scale);
    return entries[Math.min(Math.max(index, 0), entries.length - 1)];
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
    const scale = this.#scale;
    const { first, end, calls, sheets, clock, transactions } = this.#lanes;
    const x = (/** @type {number} */ index) => GUTTER + index * scale;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    let y = 6;
    const lane = (/** @type {string} */ name, /** @type {Bar[][]} */ rows) => {
      context.fillStyle = color("ink-2");
      context.fillText(name, 6, y + (rows.length * LANE) / 2);
      for (const row of rows) {
        let drawn = -1;
        for (const { from, to, tone } of row) {
          const left = x(Math.max(from, first) - first);
          const width = Math.max(2, (Math.min(to, end) - Math.max(from, first)) * scale - (scale > 4 ? 1 : 0));
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
    const { entries } = this.#feed;
    const [, first, last] = /(?:^|\s)row:(\d+)-(\d+)/u.exec(this.#place.filter) ?? [];
    context.fillStyle = color("shade");
    if (this.#drag) {
      context.fillRect(Math.min(this.#drag.from, this.#drag.to), 0, Math.abs(this.#drag.to - this.#drag.from), height);
    } else if (first && last) {
      const [from, to] = [Number(first), Number(last)].map((cursor) => entries.findIndex((entry) => entry.cursor >= cursor));
      const end = to === undefined || to < 0 ? entries.length : to + 1;
      if (from !== undefined && from >= 0) context.fillRect(x(from), 0, x(end) - x(from), height);
    }
    if (this.#place.row === null) return;
    const index = this.#feed.index(this.#place.row);
    if (index < 0) return;
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
