// The bridges of the session: the messages of declared bridges, and actions in their pages.

import { readBridges } from "../bridge-list.js";
import { ENTRY_ACTIONS, isWhole } from "../detail.js";
import { button, form, h, labelled, say, select } from "../elements.js";
import { mark, summary, timeOfDay } from "../entry-text.js";
import { Pane } from "./pane.js";
import { actions, empty, json, part, row, rows, tag } from "./parts.js";

/** @typedef {import("../bridge-list.js").Bridge} Bridge */

/** How many of the latest messages are listed. */
const MESSAGES = 20;

/** What a page can do: what the API calls it, and what its text and its JSON are. */
const DEEDS = /** @type {Record<string, {label: string, json: string, placeholder: string}>} */ ({
  call: { label: "call a function", json: "args", placeholder: "app.onProgress" },
  event: { label: "dispatch an event", json: "detail", placeholder: "native:ready" },
  evaluate: { label: "evaluate a script", json: "", placeholder: "document.title" },
});

export class BridgesPane extends Pane {
  static title = "Bridges";
  static kinds = null;

  /**
   * The forms of each declared bridge. They are kept, so that typed text is not lost.
   * @type {Map<string, HTMLElement>}
   */
  #forms = new Map();

  async load() {
    const [bridges, { pages }] = await Promise.all([readBridges(this.api, this.path), this.api.get(`${this.path}/pages`)]);
    const declared = bridges.filter((each) => each.declared).map(({ name }) => name);
    return () => h("div", { class: "parts" },
      part("Switched on", rows(bridges.map((bridge) => row(
        h("strong", { class: "grow" }, bridge.name), tag(bridge.declared ? "declared" : "built in"),
        actions(button("Its log", () => this.open({ filter: messagesOf(bridge, bridges) }), { "data-key": `${bridge.name} log`, "aria-label": `The log of ${bridge.name}` })))))),
      ...declared.map((name) => part(name, this.#messages(name), this.#form(name, pages))),
      declared.length === 0 && empty("No bridge of your own is declared: see bridges in footbridge.yaml."));
  }

  /** @param {string} name */
  #messages(name) {
    const latest = this.feed.entries.filter(({ action }) => action?.startsWith(`${name}.`)).slice(-MESSAGES).reverse();
    if (latest.length === 0) return empty("Nothing has crossed this bridge.");
    return rows(latest.map((entry) => row(
      h("code", {}, timeOfDay(entry.time)), h("code", {}, `${mark(entry)} ${entry.action}`), h("span", { class: "grow quiet" }, summary(entry)),
      actions(button(`#${entry.cursor}`, () => this.open({ row: entry.cursor }), { "data-key": `entry ${entry.cursor}`, "aria-label": `Show entry ${entry.cursor}` })))));
  }

  /**
   * @param {string} name
   * @param {any[]} pages
   */
  #form(name, pages) {
    const form = this.#forms.get(name) ?? this.#makeForm(name);
    this.#forms.set(name, form);
    const field = /** @type {HTMLSelectElement} */ (form.querySelector("[name=page]"));
    const { value } = field;
    field.replaceChildren(h("option", { value: "" }, "the latest page"), ...pages.map(({ id }) => h("option", { value: id }, id)));
    field.value = pages.some(({ id }) => id === value) ? value : "";
    return form;
  }

  /** @param {string} name */
  #makeForm(name) {
    const result = h("output", {});
    const text = h("input", { name: "text", required: true, autocomplete: "off", spellcheck: "false", "data-key": `${name} text`, "aria-label": "Function, event or script", placeholder: DEEDS.call?.placeholder });
    const more = h("textarea", { name: "json", "data-key": `${name} json`, "aria-label": "Arguments or detail, JSON", placeholder: "[50]", spellcheck: "false", rows: "2" });
    const deed = select({ name: "deed", "data-key": `${name} deed` }, Object.entries(DEEDS).map(([value, { label }]) => [value, label]));
    deed.addEventListener("change", () => {
      text.placeholder = DEEDS[deed.value]?.placeholder ?? "";
      more.hidden = !DEEDS[deed.value]?.json;
      more.placeholder = deed.value === "call" ? "[50]" : '{ "percent": 50 }';
    });
    return form({ class: "padded stacked" }, async ({ deed = "", text = "", json: given, page }) => {
      const member = DEEDS[deed]?.json;
      const value = member ? json(given, "The JSON") : undefined;
      result.textContent = "…";
      try {
        const answer = await this.api.post(`${this.path}/bridges/${encodeURIComponent(name)}/calls`, {
          [deed]: text, ...(member && value !== undefined ? { [member]: value } : {}), ...(page ? { page } : {}),
        });
        result.textContent = deed === "event" ? "Dispatched." : JSON.stringify(answer);
      } catch (error) {
        result.textContent = "";
        throw error;
      }
    }, h("div", { class: "line" }, labelled("Page:", deed), text, labelled("on", select({ name: "page", "data-key": `${name} page` }, [])), h("button", { "data-key": `${name} run` }, "Do it")),
    more, h("p", {}, "Result: ", result));
  }
}
customElements.define("bridges-pane", BridgesPane);

// What native has done in a page can be done again.
ENTRY_ACTIONS.push((entry, { api, path }) => {
  const { kind, action = "", page, data } = entry;
  const [, bridge, deed] = /^(.+)\.(call|event)$/u.exec(action) ?? [];
  if (!api || !isWhole(entry) || kind !== "event" || !bridge || !page) return null;
  const body = deed === "call" && data?.path !== undefined ? { call: data.path, args: data.args } : deed === "event" && typeof data?.name === "string" ? { event: data.name, detail: data.detail } : null;
  return body && button("Repeat this event", async () => {
    await api.post(`${path}/bridges/${encodeURIComponent(bridge)}/calls`, { ...body, page });
    say("Done again.");
  });
});

/**
 * The filter of the log for the messages of a bridge. One without a prefix of its own has all actions that are no other bridge's.
 * @param {Bridge} bridge
 * @param {Bridge[]} all
 */
function messagesOf({ prefix }, all) {
  if (prefix) return `action:${prefix}*`;
  return `-action:${all.flatMap((other) => other.prefix ? [`${other.prefix}*`] : []).join(",")} kind:request,response,event`;
}
