// The form for a new rule: the action, which of its calls, and their outcome. It shows the rule as text at the same time.

import { form, h, labelled, nodes, select } from "../elements.js";
import { json, object } from "./parts.js";

/** @typedef {import("../rule-text.js").RuleMembers} RuleMembers */

/**
 * The outcomes of a call: the member of `then`, its label, and the type of its value (`json`, `text`, `number`, or none).
 * @type {Record<string, {label: string, value?: "json" | "text" | "number", placeholder?: string}>}
 */
const ENDS = {
  error: { label: "fail with the error", value: "text", placeholder: "its name, or JSON" },
  result: { label: "answer with", value: "json", placeholder: 'null, or { "approved": false }' },
  gate: { label: "wait at the gate", value: "text", placeholder: "door" },
  delay: { label: "wait (ms)", value: "number", placeholder: "800" },
  drop: { label: "never come" },
  double: { label: "come twice" },
  reorder: { label: "come after the next one" },
  unknownId: { label: "be answered under an unknown id" },
  raw: { label: "be answered by this instead", value: "json", placeholder: '"{"' },
  cutSocket: { label: "cut the page's socket" },
  kill: { label: "kill the app" },
  then: { label: "several of these (JSON)", value: "json", placeholder: '{ "error": "connectionError", "delay": 800 }' },
};

/** Which calls of the action: the member of the rule, and its label. */
const TIMES = /** @type {[string, string][]} */ ([
  ["once", "the first call"], ["always", "every call"], ["nth", "only call number"], ["first", "the first calls, this many"], ["from", "all from call number"],
  ["times", "these calls (JSON)"],
]);

export class RuleForm {
  #on = h("input", { name: "on", required: true, list: "rule-actions", autocomplete: "off", spellcheck: "false", "data-key": "rule on", placeholder: "an action" });
  #where = h("textarea", { name: "where", rows: "2", spellcheck: "false", "data-key": "rule where", "aria-label": "Where the data has, JSON", placeholder: '{ "productIdentifier": "com.example.coins" }' });
  #times = select({ name: "times", "data-key": "rule times" }, TIMES);
  #number = h("input", { name: "number", "data-key": "rule number", "aria-label": "Number of the call", size: "6", autocomplete: "off" });
  #end = select({ name: "end", "data-key": "rule end" }, Object.entries(ENDS).map(([name, { label }]) => [name, label]));
  #value = h("input", { name: "value", "data-key": "rule value", "aria-label": "Value of the outcome", autocomplete: "off", spellcheck: "false", class: "value" });
  #bridge = "";
  #suggestions = h("datalist", { id: "rule-actions" });
  #errors = h("datalist", { id: "rule-errors" });
  /** @type {import("../bridge-list.js").Action[]} */
  #known = [];
  #texts = h("div", { class: "texts" });
  #make = h("button", { class: "main", "data-key": "rule make" }, "Make it");
  #write;
  element;

  /**
   * @param {(rule: RuleMembers) => Promise<unknown>} submit
   * @param {(rule: RuleMembers) => Node[]} write - the texts of a rule
   */
  constructor(submit, write) {
    this.#write = write;
    this.element = form({ class: "padded rule", "aria-label": "Make a rule" }, () => submit(this.#rule()),
      this.#suggestions, this.#errors,
      h("div", { class: "line" }, labelled("On", this.#on), labelled("decide", this.#times), this.#number),
      labelled("Where", this.#where),
      h("div", { class: "line" }, labelled("Then", this.#end), this.#value, this.#make),
      this.#texts);
    this.element.addEventListener("input", () => this.#changed());
    // A declared bridge may have an action with the name of another bridge's. Choosing another action resets this.
    this.#on.addEventListener("input", () => { this.#bridge = ""; });
    this.#changed();
  }

  /**
   * Whether there is a session for the rule. Otherwise it can only be copied.
   * @param {boolean} isPossible
   */
  set canMake(isPossible) { this.#make.hidden = !isPossible; }

  /**
   * Suggests these actions, and their errors. A rule may name any other action, too.
   * @param {import("../bridge-list.js").Action[]} actions
   */
  set known(actions) {
    this.#known = actions;
    this.#suggestions.replaceChildren(...actions.map(({ name }) => h("option", { value: name })));
    this.#suggestErrors();
  }

  /** Suggests the errors that the chosen action can have. */
  #suggestErrors() {
    const isError = this.#end.value === "error";
    const errors = isError && this.#known.find(({ name }) => name === this.#on.value.trim())?.errors || [];
    this.#errors.replaceChildren(...errors.map((value) => h("option", { value })));
    this.#value.toggleAttribute("list", errors.length > 0);
    if (errors.length > 0) this.#value.setAttribute("list", this.#errors.id);
    this.#value.placeholder = errors.length > 0 ? `${errors[0]}, or JSON` : ENDS[this.#end.value]?.placeholder ?? "";
  }

  /**
   * Fills the form.
   * @param {RuleMembers} rule
   */
  show({ on, bridge = "", where, times = "once", then }) {
    this.#on.value = on;
    this.#bridge = bridge;
    this.#where.value = where ? JSON.stringify(where) : "";
    const [kind = "times", number] = typeof times === "string" ? [times] : Array.isArray(times) ? ["times", times] : Object.entries(times)[0] ?? [];
    this.#times.value = Object.keys(times).length > 1 && typeof times === "object" && !Array.isArray(times) ? "times" : kind;
    this.#number.value = this.#times.value === "times" ? JSON.stringify(times) : number === undefined ? "" : String(number);
    const [[name, value] = ["error", ""], ...others] = Object.entries(then);
    const known = others.length === 0 && name in ENDS && name !== "then";
    this.#end.value = known ? name : "then";
    this.#value.value = known ? (ENDS[name]?.value === "json" || typeof value === "object" ? JSON.stringify(value) : value === true ? "" : String(value)) : JSON.stringify(then);
    this.#changed();
  }

  /** Goes to the field that is to be filled next. */
  focus() {
    const field = !this.#on.value ? this.#on : this.#value.hidden ? this.#end : this.#value;
    field.focus({ preventScroll: true });
    // What is filled in makes way for what the person types.
    if (field instanceof HTMLInputElement) field.select();
    this.element.scrollIntoView({ block: "nearest" });
  }

  #changed() {
    const end = ENDS[this.#end.value];
    this.#number.hidden = ["once", "always"].includes(this.#times.value);
    this.#value.hidden = !end?.value;
    this.#suggestErrors();
    let rule = null;
    try {
      rule = this.#rule();
    } catch {
      // The rule is not complete yet. Submitting it shows the reason.
    }
    this.#texts.replaceChildren(...(rule ? nodes(this.#write(rule)) : []));
  }

  /** @returns {RuleMembers} */
  #rule() {
    const on = this.#on.value.trim();
    if (!on) throw new Error("Name the action of the calls. The list of the field has those that are known.");
    const where = object(this.#where.value, "Where");
    const times = this.#chosenTimes();
    return { on, ...(this.#bridge ? { bridge: this.#bridge } : {}), ...(where ? { where } : {}), ...(times === "once" ? {} : { times }), then: this.#outcome() };
  }

  #chosenTimes() {
    const kind = this.#times.value;
    if (kind === "once" || kind === "always") return kind;
    const number = json(this.#number.value, "The number of the call");
    if (number === undefined) throw new Error("Say the number of the call.");
    return kind === "times" ? number : { [kind]: number };
  }

  /** @returns {Record<string, any>} */
  #outcome() {
    const name = this.#end.value;
    const kind = ENDS[name]?.value;
    const text = this.#value.value.trim();
    if (!kind) return { [name]: true };
    if (!text) throw new Error(`Say what comes after “${ENDS[name]?.label}”.`);
    if (name === "then") return object(text, "The outcome") ?? {};
    // An error can be an object or a status; a delay, a range.
    const isText = kind === "text" && !/^(?:\{|\d+$)/u.test(text);
    return { [name]: isText || name === "gate" ? text : json(text, "The value") };
  }
}
