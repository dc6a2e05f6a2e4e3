// Rules, gates and the scenario, with each rule as a text to copy, and a form that makes one.

import { actionsOf, readBridges } from "../bridge-list.js";
import { ENTRY_ACTIONS } from "../detail.js";
import { button, copy, form, h, labelled, nodes, say, select } from "../elements.js";
import { draft, ruleAbout } from "../rule-draft.js";
import { FORMS } from "../rule-text.js";
import { Pane } from "./pane.js";
import { actions, empty, Folds, part, row, rows, tag } from "./parts.js";
import { RuleForm } from "./rule-form.js";

/** @typedef {import("../rule-text.js").RuleMembers} RuleMembers */

export class RulesPane extends Pane {
  static title = "Rules";
  static kinds = ["decision", "control", "response", "page"];
  static readsTranscripts = true;

  #folds = new Folds();
  #isFocusDue = false;
  #form = new RuleForm(async (rule) => {
    await this.api.post(`${this.path}/rules`, rule);
    say("The rule decides from now on.");
    this.refresh();
  }, texts);

  connectedCallback() {
    this.#form.canMake = this.isLive;
    draft.addEventListener("offer", this.#takeDraft);
    this.#takeDraft();
  }

  disconnectedCallback() { draft.removeEventListener("offer", this.#takeDraft); }

  #takeDraft = () => {
    const rule = draft.take();
    if (!rule) return;
    this.#form.show(rule);
    // The form is in the document once the pane has been loaded.
    if (this.#form.element.isConnected) this.#form.focus();
    else this.#isFocusDue = true;
  };

  async load() {
    if (!this.isLive) {
      return () => {
        this.#focusIfDue();
        return h("div", { class: "parts" }, part("Make a rule to copy", this.#form.element));
      };
    }
    const [bridges, { rules }, { gates }, { scenarios }, session] = await Promise.all([
      readBridges(this.api, this.path), this.api.get(`${this.path}/rules`), this.api.get(`${this.path}/gates`), this.api.get("/scenarios"), this.api.get(this.path),
    ]);
    this.#form.known = actionsOf(bridges);
    return () => {
      this.#focusIfDue();
      return h("div", { class: "parts" },
        part("Make a rule", this.#form.element),
        part("Rules", this.#rules(rules)),
        part("Gates", this.#gates(gates, rules)),
        part("Scenario", this.#scenario(scenarios, session.scenario)));
    };
  }

  #focusIfDue() {
    if (this.#isFocusDue) setTimeout(() => this.#form.focus());
    this.#isFocusDue = false;
  }

  /** @param {any[]} rules */
  #rules(rules) {
    if (rules.length === 0) return empty("No rule decides anything. Make one here, or from a row of the log.");
    return nodes([
      rows(rules.map((rule) => row(
        h("code", {}, rule.id), h("strong", {}, rule.on), rule.where && h("code", {}, `where ${JSON.stringify(rule.where)}`),
        rule.times !== "once" && h("code", {}, `times ${JSON.stringify(rule.times)}`), h("code", { class: "grow" }, `then ${JSON.stringify(rule.then)}`),
        rule.scenario && tag(`of ${rule.scenario}`), tag(`decided ${rule.decisions} of ${rule.matches}`, rule.decisions > 0 ? "good" : ""),
        actions(button("Remove", async () => {
          await this.api.delete(`${this.path}/rules/${encodeURIComponent(rule.id)}`);
          this.refresh();
        }, { "data-key": `${rule.id} remove`, "aria-label": `Remove ${rule.id}` })),
        h("div", { class: "wide" }, this.#folds.make(rule.id, `Copy ${rule.id} into a file or a test`, ...texts(rule)))))),
      h("p", { class: "padded" }, button("Remove all", async () => {
        await this.api.delete(`${this.path}/rules`);
        this.refresh();
      }, { "data-key": "remove all" })),
    ]);
  }

  /**
   * @param {any[]} holds
   * @param {any[]} rules
   */
  #gates(holds, rules) {
    const names = [...new Set([...holds.map(({ name }) => name), ...rules.map(({ then }) => then.gate).filter(Boolean)])];
    if (names.length === 0) return empty("No call waits at a gate, and no rule has one.");
    return rows(names.map((name) => {
      const waiting = holds.filter((hold) => hold.name === name);
      return row(h("strong", {}, name), h("span", { class: waiting.length > 0 ? "grow waits" : "grow" },
        waiting.length === 0 ? "nothing waits" : waiting.map(({ action, page }) => page ? `${action} on ${page}` : action).join(", ")),
      actions(button("Open", async () => {
        await this.api.post(`${this.path}/gates/${encodeURIComponent(name)}/release`);
        this.refresh();
      }, { "data-key": `gate ${name}`, "aria-label": `Open the gate ${name}`, title: waiting.length === 0 ? "The next call passes" : "" })));
    }));
  }

  /**
   * @param {string[]} scenarios
   * @param {string | null} current
   */
  #scenario(scenarios, current) {
    if (scenarios.length === 0) return empty("footbridge.yaml has no scenarios.");
    return form({ class: "line padded" }, async ({ name }) => {
      await this.api.put(`${this.path}/scenario`, { name });
      this.refresh();
    }, labelled("Scenario", select({ name: "name", "data-key": "scenario" }, scenarios, current)),
    h("button", { "data-key": "begin scenario" }, "Begin"), h("span", { class: "quiet" }, current ? `It runs ${current}.` : "It runs none."));
  }
}
customElements.define("rules-pane", RulesPane);

ENTRY_ACTIONS.push((entry, { feed, open, bridges }) => button("Make rule…", async () => {
  draft.offer(ruleAbout(entry, (cursor) => feed.entry(cursor), (call) => feed.answerTo(call), await bridges()));
  // In a narrow window, the entry covers the panes.
  open({ pane: "rules", ...(matchMedia("(max-width: 720px)").matches ? { row: null } : {}) });
}));

/**
 * Shows a rule in each of its forms, with a button to copy each.
 * @param {RuleMembers & {id?: string}} rule
 */
function texts(rule) {
  return FORMS.map(({ label, write }) => {
    const text = write(rule);
    return h("div", { class: "text" }, h("span", { class: "head" }, h("h4", {}, label),
      button("Copy", () => copy(text), { "aria-label": `Copy ${label}`, "data-key": `${rule.id ?? "draft"} ${label}` })), h("pre", { tabindex: "0", "aria-label": label }, text));
  });
}
