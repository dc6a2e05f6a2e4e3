// The keyboard shortcuts of the dashboard. They do not apply in text fields.

import { button, h, run } from "./elements.js";
import { PANES } from "./panes/index.js";

/**
 * The parts of the dashboard that the keys control.
 * @typedef {object} Targets
 * @property {import("./log.js").LogView} log
 * @property {import("./header.js").SessionHeader} header
 * @property {import("./needs.js").NeedsView | null} needs
 * @property {(place: Partial<import("./address.js").Place>) => void} open
 * @property {(name: string) => void} openPane
 * @property {() => void} closeEntry
 */

/** How long `g` waits for its letter, in milliseconds. */
const TIMEOUT = 1500;

export class Keyboard {
  #targets;
  #listening = new AbortController();
  /** When `g` was pressed. */
  #goneAt = -Infinity;

  /** @param {Targets} targets */
  constructor(targets) {
    this.#targets = targets;
  }

  listen() { addEventListener("keydown", (event) => this.#pressed(event), { signal: this.#listening.signal }); }
  stop() { this.#listening.abort(); }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const { key } = event;
    if ((event.metaKey || event.ctrlKey) && !event.altKey && key.toLowerCase() === "k") {
      event.preventDefault();
      return this.#targets.log.focusFilter();
    }
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isField(event.target) || document.querySelector("dialog[open]")) return;
    const follows = event.timeStamp - this.#goneAt < TIMEOUT;
    this.#goneAt = -Infinity;
    const action = follows ? this.#place(key) : this.#action(key, event);
    if (!action) return;
    event.preventDefault();
    run(action);
  }

  /**
   * @param {string} key
   * @param {KeyboardEvent} event
   * @returns {(() => unknown) | undefined}
   */
  #action(key, event) {
    const { log, header, needs, closeEntry } = this.#targets;
    switch (key) {
      case "/": return () => log.focusFilter();
      case "j": return () => log.move(1);
      case "k": return () => log.move(-1);
      // A focused control handles Enter itself.
      case "Enter": return event.target instanceof Element && event.target.closest("button, a, summary") ? undefined : () => focusDetail(log);
      case "Escape": return closeEntry;
      case "g": return () => { this.#goneAt = event.timeStamp; };
      case "a": return () => needs?.answerFirst(true);
      case "d": return () => needs?.answerFirst(false);
      case ".": return () => header.toggleClock();
      case "?": return openHelp;
      default: return undefined;
    }
  }

  /**
   * Handles the key after `g`.
   * @param {string} key
   */
  #place(key) {
    const pane = PANES.find((each) => each.key === key)?.name ?? (key === "h" ? "sessions" : undefined);
    return pane === undefined ? undefined : () => this.#targets.openPane(pane);
  }
}

/** @param {EventTarget | null} target */
const isField = (target) => target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));

/**
 * Goes to the entry; without an argument, to the last one.
 * @param {import("./log.js").LogView} log
 */
function focusDetail(log) {
  const detail = /** @type {HTMLElement | null} */ (document.querySelector("detail-view"));
  if (detail?.hidden) log.move(-1);
  requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector("detail-view pre"))?.focus());
}

/** Shows the keys. */
export function openHelp() {
  const keys = [
    ["/ or ⌘K", "filter the log"], ["j  k", "next row, row before"], ["→  ←", "in the log: unfold the row, fold it"], ["Enter", "go into the row"], ["Esc", "close the row"],
    ["a  d", "approve, decline the first sheet that waits"], [".", "stop the clock, let it run"], ["g h", "all sessions"],
    ...PANES.map(({ key, element }) => [`g ${key}`, element.title]), ["?", "this list"],
  ];
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { "aria-label": "Keys" },
    h("div", { class: "head" }, h("h2", {}, "Keys"), button("×", () => dialog.close(), { class: "quiet", "aria-label": "Close" })),
    h("dl", { class: "keys" }, ...keys.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)])),
    h("h3", {}, "The filter"),
    h("dl", { class: "keys" }, ...[
      ["kind:request", "entries of this kind; kind:sheet means all kinds that begin so"], ["action:purchase", "the action has this part; * stands for any letters"],
      ["page:page-1", "of this page"], ["status:error", "answers that are errors"], ["id:…", "of this correlation id"], ["cause:12", "caused by entry 12"],
      ["row:12-40", "these entries"], ["coins \"two words\"", "the entry has these texts"], ["-text", "without this; works for each of the others, too"],
    ].flatMap(([key, text]) => [h("dt", {}, h("code", {}, key)), h("dd", {}, text)])));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
