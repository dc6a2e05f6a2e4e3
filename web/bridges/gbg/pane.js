// GBGBridge: requests without a handler, to answer by hand; the capture slots; events from the host.

import { bridgeOf } from "../../dashboard/bridge-list.js";
import { ENTRY_ACTIONS, isWhole } from "../../dashboard/detail.js";
import { button, form, h, labelled, say, select } from "../../dashboard/elements.js";
import { Pane } from "../../dashboard/panes/pane.js";
import { actions, choices, empty, object, part, row, rows, tag } from "../../dashboard/panes/parts.js";

/** How a request can be answered. */
const STATUSES = ["success", "error", "cancelled", "unsupported", "acknowledged"];

export class GBGPane extends Pane {
  static title = "GBG";
  static kinds = ["request", "response", "page", "sheetOpened", "sheetAnswered", "control"];

  /**
   * The forms of the waiting requests. They are kept, so that typed text is not lost.
   * @type {Map<string, HTMLElement>}
   */
  #forms = new Map();
  #data = h("textarea", { name: "data", "aria-label": "Data of the event, JSON", placeholder: '{ "reason": "user" }', "data-key": "event data", spellcheck: "false", rows: "2" });
  /** The pages that get an event: one, or all of them. */
  #target = h("select", { name: "page", "data-key": "event page" });
  #sending = form({ class: "padded stacked" }, (fields) => this.#send(fields),
    h("div", { class: "line" }, labelled("Event", h("input", { name: "action", required: true, placeholder: "journey.cancel", "data-key": "event action", autocomplete: "off" })),
      labelled("to", this.#target), h("button", { "data-key": "send event" }, "Send")),
    this.#data);

  async load() {
    const { pages } = await this.api.get(`${this.path}/pages`);
    if (pages.length === 0) return empty("No page is open. Load the site in the browser of this session.");
    const known = await Promise.all(pages.map(async (/** @type {any} */ page) => {
      const path = `${this.path}/pages/${encodeURIComponent(page.id)}`;
      const [{ requests }, { slots }] = await Promise.all([this.api.get(`${path}/requests`), this.api.get(`${path}/slots`)]);
      return { id: page.id, path, requests: [...requests, ...this.#acknowledged(page.id)], slots };
    }));
    const waiting = known.flatMap(({ id, path, requests }) => requests.map((/** @type {any} */ request) => ({ key: `${id} ${request.correlationId}${request.acknowledged ? " result" : ""}`, path, id, request })));
    this.#forms = new Map(waiting.map(({ key, path, id, request }) => [key, this.#forms.get(key) ?? this.#form(key, path, id, request)]));
    choices(this.#target, [["", "every page"], ...pages.map(({ id = "", url = "" }) => [id, url ? `${id}: ${url}` : id])]);
    return () => h("div", { class: "parts" },
      part("Requests to answer", waiting.length > 0 ? h("div", { class: "cards padded" }, ...this.#forms.values()) : empty("No request waits for an answer.")),
      part("Captures", rows(known.flatMap(({ id, slots }) => slots.map((/** @type {any} */ slot) => this.#slot(id, slot))))),
      part("Send an event", this.#sending));
  }

  /**
   * The acknowledged requests of a page that have no result yet.
   * @param {string} page
   */
  #acknowledged(page) {
    /** @type {Map<string, any>} */
    const open = new Map();
    for (const { kind, page: of, status, correlationId, action } of this.feed.entries) {
      if (kind !== "response" || of !== page || !correlationId) continue;
      if (status === "acknowledged") open.set(correlationId, { action, correlationId, acknowledged: true });
      else open.delete(correlationId);
    }
    return [...open.values()];
  }

  /**
   * @param {string} key
   * @param {string} path
   * @param {string} page
   * @param {any} request
   */
  #form(key, path, page, { action, correlationId, data, acknowledged }) {
    const code = labelled("code", h("input", { name: "code", "data-key": `${key} code`, placeholder: "BUSY", autocomplete: "off" }));
    const message = labelled("message", h("input", { name: "message", "data-key": `${key} message`, autocomplete: "off" }));
    const choice = select({ name: "status", "data-key": `${key} status` }, STATUSES.filter((status) => !acknowledged || status !== "acknowledged"));
    const error = h("div", { class: "line", hidden: true }, code, message);
    const content = h("textarea", { name: "data", "data-key": `${key} data`, "aria-label": `Data of the answer to ${action}, JSON`, placeholder: '{ "read": true }', spellcheck: "false", rows: "2" });
    choice.addEventListener("change", () => {
      error.hidden = choice.value !== "error";
      content.hidden = choice.value === "error";
    });
    return h("section", { class: "card", "aria-label": action }, h("h4", {}, action, acknowledged && " (acknowledged)"),
      h("p", { class: "quiet" }, `${page}, ${correlationId}`), data && h("pre", { tabindex: "0", "aria-label": `Data of ${action}` }, JSON.stringify(data, null, 2)),
      form({ class: "stacked" }, async (fields) => {
        await this.api.post(`${path}/requests/${encodeURIComponent(correlationId)}/respond`, answer(fields));
        this.refresh();
      }, labelled("answer", choice), error, content, h("div", { class: "actions" }, h("button", { class: "main", "data-key": `${key} answer` }, "Answer"))));
  }

  /**
   * @param {string} page
   * @param {any} slot
   */
  #slot(page, { id, action, supported, permissionState, request }) {
    return row(h("strong", {}, id), h("span", { class: "grow" }, page), h("code", {}, action), tag(supported ? "supported" : "unsupported", supported ? "good" : ""),
      permissionState && tag(`permission ${permissionState}`), request && h("span", { class: "waits" }, "a capture is open"),
      actions(request && button("Its call", () => this.open({ filter: `id:${request}` }), { "data-key": `${page} ${id} call` })));
  }

  /** @param {Record<string, string>} fields */
  async #send({ action, data, page }) {
    const members = object(data, "The data");
    const { pages } = await this.api.get(`${this.path}/pages`);
    const chosen = page ? [{ id: page }] : pages;
    if (chosen.length === 0) throw new Error("No page is open, so nobody would get the event.");
    await Promise.all(chosen.map(({ id = "" }) => this.api.post(`${this.path}/pages/${encodeURIComponent(id)}/events`, { action, ...(members ? { data: members } : {}) })));
    say(page ? `${page} has got the event.` : "The event is sent.");
  }
}
customElements.define("gbg-pane", GBGPane);

// An event can be sent again. Those of other bridges have a prefix.
ENTRY_ACTIONS.push((entry, { api, path, bridges }) => {
  const { kind, action = "", page, data } = entry;
  if (!api || !isWhole(entry) || kind !== "event" || !page || /^(?:onside|today|footbridge)\.|\.(?:call|event)$/u.test(action)) return null;
  return button("Repeat this event", async () => {
    if (bridgeOf(await bridges(), action)) throw new Error("Only the bridge itself sends this event.");
    await api.post(`${path}/pages/${encodeURIComponent(page)}/events`, { action, ...(data ? { data } : {}) });
    say(`${page} has got the event.`);
  });
});

/** @param {Record<string, string>} fields */
function answer({ status, data, code, message }) {
  if (status === "error") {
    if (!code) throw new Error("An error needs a code.");
    return { status, error: { code, ...(message ? { message } : {}) } };
  }
  const members = object(data, "The data");
  return { status, ...(members ? { data: members } : {}) };
}
