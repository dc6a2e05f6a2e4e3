// The settings of a session: who answers sheets, and what each bridge lets people set.

import { h, labelled } from "../elements.js";
import { SETTINGS } from "../../bridges/panes.js";
import { choice } from "./fields.js";
import { Pane } from "./pane.js";
import { part } from "./parts.js";

const PRESENTED = /** @type {[string, string][]} */ ([
  ["page", "the person in the page"], ["control", "this dashboard or a test"], ["auto", "nobody: each is approved at once"],
]);

export class SettingsPane extends Pane {
  static title = "Settings";
  static kinds = ["store", "control"];

  /** @type {import("../../bridges/panes.js").Settings[]} */
  #bridges = SETTINGS.map((Settings) => new Settings(this));

  /** @returns {Promise<HTMLElement>} */
  async load() {
    const session = await this.api.get(this.path);
    const own = await Promise.all(this.#bridges.map((bridge) => bridge.load(session)));
    return h("div", { class: "parts" },
      part("Session", h("div", { class: "fields" }, ...own.flatMap(({ fields }) => fields),
        labelled("Who answers sheets", choice(this, "present", PRESENTED, session.present, (present) => this.api.patch(this.path, { present }))))),
      ...own.flatMap(({ parts }) => parts));
  }
}
customElements.define("settings-pane", SettingsPane);
