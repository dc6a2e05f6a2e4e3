// The filter above the log: its field, chips for what is looked for most, and the filters that were used before.

import { button, h } from "./elements.js";
import { withoutWord, withWord } from "./filter.js";

/** The chips, each with the word of the filter that it stands for. */
const CHIPS = [["errors", "is:error"], ["sheets", "kind:sheet"], ["store", "kind:store"]];
/** Where the browser stores earlier filters, and how many. */
const STORED = "footbridge.filters";
const LIMIT = 10;

export class FilterBar {
  #change;
  #field = h("input", { type: "search", class: "filter", placeholder: "kind: action: -text", "aria-label": "Filter the log", spellcheck: "false", autocomplete: "off", "aria-keyshortcuts": "/" });
  #earlier = h("select", { class: "earlier", "aria-label": "Earlier filters", title: "Earlier filters" });
  /** @type {Map<string, HTMLButtonElement>} */
  #chips = new Map(CHIPS.map(([name, word]) => [/** @type {string} */ (word), button(name, () => this.#toggle(/** @type {string} */ (word)), { class: "chip", "aria-pressed": "false" })]));
  elements;

  /**
   * @param {{change: (filter: string) => void, enterRows: (isToChoose: boolean) => void, clear: () => void}} actions - `enterRows` goes to the rows, and to
   * the first of them if nothing is chosen
   */
  constructor({ change, enterRows, clear }) {
    this.#change = change;
    this.elements = [this.#field, this.#earlier, h("span", { class: "chips", role: "group", "aria-label": "Show only" }, ...this.#chips.values()),
      button("clear from here", clear, { class: "quiet", title: "Show only what comes from now on" })];
    this.#field.addEventListener("input", () => change(this.#field.value));
    this.#field.addEventListener("change", () => this.#remember());
    this.#field.addEventListener("keydown", (event) => {
      if (!["Enter", "ArrowDown", "Escape"].includes(event.key)) return;
      event.preventDefault();
      this.#remember();
      enterRows(event.key !== "Escape");
    });
    this.#earlier.addEventListener("change", () => {
      change(this.#earlier.value);
      this.#earlier.value = "";
    });
    this.#offerEarlier();
  }

  get filter() { return this.#field.value; }

  /** @param {string} filter */
  set filter(filter) {
    if (this.#field.value !== filter) this.#field.value = filter;
    const words = filter.split(" ");
    for (const [word, chip] of this.#chips) chip.setAttribute("aria-pressed", String(words.includes(word)));
  }

  /** Puts the cursor into the field. */
  focus() {
    this.#field.focus();
    this.#field.select();
  }

  /** @param {string} word */
  #toggle(word) {
    const isOn = this.#field.value.split(" ").includes(word);
    const [name = "", value = ""] = word.split(":");
    this.#change(isOn ? withoutWord(this.#field.value, word) : withWord(this.#field.value, name, value));
  }

  #remember() {
    const filter = this.#field.value.trim();
    // The numbers of rows mean nothing in another session.
    if (!filter || /(?:^|\s)row:/u.test(filter)) return;
    localStorage.setItem(STORED, JSON.stringify([filter, ...earlierFilters().filter((other) => other !== filter)].slice(0, LIMIT)));
    this.#offerEarlier();
  }

  #offerEarlier() {
    const filters = earlierFilters();
    this.#earlier.hidden = filters.length === 0;
    this.#earlier.replaceChildren(h("option", { value: "" }, "earlier"), ...filters.map((filter) => h("option", { value: filter }, filter)));
  }
}

/** @returns {string[]} */
function earlierFilters() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(stored) ? stored.filter((each) => typeof each === "string").slice(0, LIMIT) : [];
  } catch {
    // A file has no storage in some browsers.
    return [];
  }
}
