// The base class of the panes below the log. To add a pane:
//
//  1. Write a module of this folder with a class that extends Pane, and define its element:
//
//       export class StorePane extends Pane {
//         static title = "Store";                  // the tab
//         static kinds = ["store", "control"];     // it is loaded again after journal entries of these kinds
//         async load() {                           // reads what it shows; an error it throws is shown in its place, until it succeeds
//           const { transactions } = await this.api.get(`${this.path}/transactions`);
//           return transactions.map((transaction) => h("p", {}, transaction.id));    // and returns it: nodes, texts, lists of them
//         }
//       }
//       customElements.define("store-pane", StorePane);
//
//  2. Add a line to index.js, with its name in addresses and its key after `g`; for a pane of one bridge, to ../../bridges/panes.js.
//  3. Add a line to web/embedded.c.
//
// The pane is made when its tab is first opened, for one session. `load` runs then, and again when an entry of its `kinds` has come, at most
// every 150 ms, and only while its tab is open. While the person types or chooses in one of its fields, it waits. Afterwards the focus
// returns to the element with the same `data-key`, so give each control one. `this.refresh()` asks for it too, say after an action that
// leaves no entry. `this.change(action)` is for fields that change something at once: it makes the changes one after another.
//
// A pane that sets `static readsTranscripts = true` is there for transcripts as well. It must then do without `api` if `isLive` is false.
//
// A pane has `api` (get, post, patch, put, delete: paths as in docs/control-api.md; errors are thrown), `path` ("/sessions/ID"), `session`
// (its id), `feed` (the entries of the journal), and `open(place)`, which goes to another place ({pane, row, filter}). Buttons and forms come
// from elements.js: `button(label, action)` and `form({}, submit, …)` tell the person of errors by themselves. Text is never HTML: the policy
// of the page forbids it, and what pages say is hostile. Styles are in dashboard.css: .rows, .row, .cards, .card, .field, .actions, .empty.

import { h, nodes, run } from "../elements.js";
import { Changes } from "../order.js";

/** @typedef {import("../api.js").API} API */
/** @typedef {import("../feed.js").Feed} Feed */
/** @typedef {import("../filter.js").Entry} Entry */
/** @typedef {import("../address.js").Place} Place */

/** @typedef {import("../elements.js").Child[] | import("../elements.js").Child} Content */

/**
 * @typedef {object} PaneContext
 * @property {API | null} api - null for a transcript
 * @property {string} session
 * @property {Feed} feed
 * @property {(place: Partial<Place>) => void} open
 * @property {import("../stage-view.js").StageView | null} stage - null for a transcript
 */

/** How long to collect entries before a pane is loaded again, in milliseconds. */
const PAUSE = 150;
/** The pause after a failure, in milliseconds. It doubles with each further one, up to the longest. */
const FIRST_RETRY = 1000;
const LONGEST_RETRY = 16_000;

export class Pane extends HTMLElement {
  /** What its tab says. */
  static title = "";
  /**
   * The kinds of journal entries after which it is loaded again; all of them if it is null.
   * @type {string[] | null}
   */
  static kinds = null;
  /** Whether it also shows transcripts, for which there is no server. */
  static readsTranscripts = false;

  /** @type {PaneContext | undefined} */
  #context;
  #isShown = false;
  #isDue = true;
  #isLoading = false;
  /** How often it could not be loaded since it last was. */
  #failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /**
   * The key of the last pressed button. It is disabled while its action runs, and loses the focus.
   * @type {string | null}
   */
  #pressed = null;
  /** Whether the pointer is down in the pane. Replacing what is under it would lose the click. */
  #isHeld = false;
  #changes = new Changes();

  /** @param {PaneContext} context */
  attach(context) {
    this.#context = context;
    const kinds = /** @type {typeof Pane} */ (this.constructor).kinds;
    context.feed.addEventListener("change", (event) => {
      const { added } = /** @type {CustomEvent<import("../feed.js").FeedChange>} */ (event).detail;
      if (!kinds || added.some((entry) => kinds.includes(entry.kind))) this.refresh();
    });
    // After a form is sent, nobody types in it, so the pane can be loaded again.
    this.addEventListener("submit", ({ submitter }) => submitter?.focus(), { capture: true });
    this.addEventListener("click", ({ target }) => {
      this.#pressed = /** @type {Element} */ (target).closest("button[data-key]")?.getAttribute("data-key") ?? null;
    }, { capture: true });
    this.addEventListener("pointerdown", () => this.#hold(), { capture: true });
    // After a field loses the focus, the pane can be loaded again.
    this.addEventListener("focusout", () => this.#schedule());
    this.addEventListener("change", () => this.#schedule());
  }

  get context() {
    if (!this.#context) throw new Error("The pane has no context yet.");
    return this.#context;
  }
  /** Whether there is a server to ask and to change. */
  get isLive() { return this.context.api !== null; }
  get api() {
    if (!this.context.api) throw new Error("A transcript has no server.");
    return this.context.api;
  }
  get feed() { return this.context.feed; }
  get session() { return this.context.session; }
  /** The path of the session in the API. */
  get path() { return `/sessions/${encodeURIComponent(this.session)}`; }

  /**
   * Goes to another place of the dashboard.
   * @param {Partial<Place>} place
   */
  open(place) { this.context.open(place); }

  /**
   * Reads what the pane shows, and returns it. Panes replace it. A pane that keeps elements returns a function that builds the content: to build
   * it takes them out of the document, and with them the focus.
   * @returns {Promise<Content | (() => Content)>}
   */
  async load() { return null; }

  /**
   * Called when its tab is opened or left.
   * @param {boolean} isShown
   */
  set shown(isShown) {
    this.#isShown = isShown;
    this.hidden = !isShown;
    if (isShown) this.#schedule(0);
  }

  /** Loads it again soon. */
  refresh() {
    this.#isDue = true;
    // What has come may be the end of the failure.
    if (this.#failures) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    this.#schedule(PAUSE);
  }

  /**
   * Makes a change after the earlier ones. Shows its error to the person. Then loads the pane again, even if the change
   * was refused.
   * @param {() => Promise<unknown>} action
   */
  async change(action) {
    await this.#changes.add(() => run(action));
    this.refresh();
  }

  /** @param {number} [pause] */
  #schedule(pause = this.#failures ? Math.min(FIRST_RETRY * 2 ** (this.#failures - 1), LONGEST_RETRY) : PAUSE) {
    if (!this.#isDue || !this.#isShown || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#reload();
    }, pause);
  }

  async #reload() {
    if (!this.#isDue || !this.#isShown || this.#isLoading || this.#isBusy) return;
    this.#isDue = false;
    this.#isLoading = true;
    try {
      const content = await this.load();
      this.#failures = 0;
      // In the meantime, the person may have begun to type or changed something.
      if (this.#isBusy) this.#isDue = true;
      else this.#show(content);
    } catch (error) {
      // The server may be away for a moment, and no entry of the journal says that it is back.
      this.#failures += 1;
      this.#isDue = true;
      this.#show(h("p", { class: "empty bad", role: "alert" }, error instanceof Error ? error.message : String(error)));
    } finally {
      this.#isLoading = false;
      this.#schedule();
    }
  }

  /** Waits until the pointer is up again, wherever that is. */
  #hold() {
    this.#isHeld = true;
    const ended = new AbortController();
    const release = () => {
      ended.abort();
      this.#isHeld = false;
      this.#schedule();
    };
    for (const event of ["pointerup", "pointercancel"]) addEventListener(event, release, { capture: true, signal: ended.signal });
  }

  /** Whether the person types, chooses or presses in it, or has changed what the server does not know yet. */
  get #isBusy() {
    if (this.#isHeld || this.#changes.areUnderWay) return true;
    const active = document.activeElement;
    return active instanceof HTMLElement && this.contains(active) && active.matches("input:not([type=checkbox]), textarea, select");
  }

  /** @param {Content | (() => Content)} content */
  #show(content) {
    const active = document.activeElement;
    const key = this.contains(active) ? active?.closest("[data-key]")?.getAttribute("data-key") : active === document.body ? this.#pressed : null;
    this.#pressed = null;
    const built = typeof content === "function" ? content() : content;
    this.replaceChildren(...nodes([built]));
    if (key) /** @type {HTMLElement | null} */ (this.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
  }
}
