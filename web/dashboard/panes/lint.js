// What the linter has found: the entries of the kind `lint` in the journal.

import { button, h } from "../elements.js";
import { Pane } from "./pane.js";

export class LintPane extends Pane {
  static title = "Lint";
  static kinds = ["lint"];

  async load() {
    const found = this.feed.entries.filter((entry) => entry.kind === "lint");
    if (found.length === 0) return h("p", { class: "empty" }, "The linter has found nothing.");
    return h("ul", { class: "rows" }, ...found.map((entry) => h("li", { class: "row" },
      h("code", {}, entry.action ?? ""), h("span", { class: "grow" }, entry.note ?? ""),
      h("span", { class: "actions" }, button(`#${entry.cause ?? entry.cursor}`, () => this.open({ row: entry.cause ?? entry.cursor }),
        { "data-key": String(entry.cursor), "aria-label": `Show entry ${entry.cause ?? entry.cursor}` })))));
  }
}
customElements.define("lint-pane", LintPane);
