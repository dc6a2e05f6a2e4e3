// The findings of the linter: the journal entries of the kind `lint`.

import { button, h } from "../elements.js";
import { Pane } from "./pane.js";

/** @typedef {import("../filter.js").Entry} Entry */

export class LintPane extends Pane {
  static title = "Lint";
  static kinds = ["lint"];
  static readsTranscripts = true;

  async load() {
    const found = this.feed.entries.filter((entry) => entry.kind === "lint");
    if (found.length === 0) return h("p", { class: "empty" }, "The linter has found nothing.");
    return h("ul", { class: "rows" }, ...found.map((entry) => this.#row(entry)));
  }

  /** @param {Entry} entry */
  #row(entry) {
    const { severity = "", title = "", about = "", contract = "", section = "", advice = "" } = entry.data ?? {};
    const call = entry.cause ?? entry.cursor;
    return h("li", { class: "row finding" },
      h("span", { class: "rule-name" }, h("code", {}, entry.action ?? ""), h("span", { class: severity === "error" ? "tag bad" : "tag" }, severity)),
      h("div", { class: "grow" }, h("strong", {}, String(title)), h("p", {}, String(about)),
        contract !== "" && h("blockquote", {}, String(contract), section !== "" && h("cite", {}, ` (${section})`)),
        h("p", {}, String(advice))),
      h("span", { class: "actions" }, button(`Its call #${call}`, () => this.open({ row: call }), { "data-key": String(entry.cursor) })));
  }
}
customElements.define("lint-pane", LintPane);
