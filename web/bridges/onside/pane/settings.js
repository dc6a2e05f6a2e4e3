// The settings of the store (OnsideKit) with the names of SKTestSession: the account, the switches, and the behaviour of each call.

import { APIError } from "../../../dashboard/api.js";
import { readBridges } from "../../../dashboard/bridge-list.js";
import { button, h, labelled, select } from "../../../dashboard/elements.js";
import { choice, text } from "../../../dashboard/panes/fields.js";
import { actions, box, part, row, rows } from "../../../dashboard/panes/parts.js";

/** The switch to which SKTestSession's `failureError` belongs: the error with which payments then fail, and the one that it is by itself. */
const FAILING = "failTransactions";
const USUAL_FAILURE = "cancelled";
/** The call that then fails. */
const PAYMENT = "payment";

/**
 * What the API's document says of the settings: the switches and the time rates, each with SKTestSession's word for it, and the calls.
 * @typedef {object} Description
 * @property {{name: string, word: string, meaning: string}[]} switches
 * @property {[string, string][]} rates
 * @property {string[]} calls
 */

/**
 * A call, and the errors that it can have in the session's contract.
 * @typedef {[string, string[]]} FailingCall
 */

/**
 * The behaviour of a call: a delay in milliseconds, an error, and whether both apply to the next call only.
 * @typedef {{delay: number, error: string | null, once: boolean}} Behaviour
 */

/** @type {Behaviour} */
const usual = { delay: 0, error: null, once: false };

export class StoreSettings {
  #pane;
  /**
   * The document of the control API. It does not change while the server runs.
   * @type {Promise<Description> | undefined}
   */
  #description;

  /** @param {import("../../../dashboard/panes/pane.js").Pane} pane */
  constructor(pane) { this.#pane = pane; }

  get #api() { return this.#pane.api; }
  get #path() { return this.#pane.path; }

  /** @param {any} session */
  async load(session) {
    const store = await this.#store();
    if (!store) return { fields: [], parts: [] };
    const failures = store.calls.find(([name]) => name === PAYMENT)?.[1] ?? [];
    return {
      fields: [
        labelled("Account", choice(this.#pane, "account", [["", "nobody"], ...store.accounts], session.account ?? "", (account) =>
          this.#api.patch(this.#path, { account: account || null }))),
        text(this.#pane, "Storefront", "storefront", session.storefront ?? "", (storefront) => this.#api.patch(this.#path, { storefront: storefront || null }),
          "empty: not available"),
      ],
      parts: [
        part("Store", this.#switches(store, failures), h("p", { class: "padded" }, button("As in the configuration", () =>
          this.#pane.change(() => this.#api.delete(`${this.#path}/settings`)), { "data-key": "restore" }))),
        part("Calls", this.#behaviours(store.settings.calls, store.calls)),
      ],
    };
  }

  /** What the store says of itself; null if it is switched off. */
  async #store() {
    this.#description ??= this.#describe();
    try {
      const [settings, { accounts }, known, bridges] = await Promise.all([
        this.#api.get(`${this.#path}/settings`), this.#api.get(`${this.#path}/accounts`), this.#description, readBridges(this.#api, this.#path),
      ]);
      const { actions } = bridges.find(({ name }) => name === "onside") ?? { actions: [] };
      /** @type {FailingCall[]} */
      const calls = known.calls.map((name) => [name, actions.find((action) => action.name === `onside.${name}`)?.errors ?? []]);
      /** @type {[string, string][]} */
      const named = accounts.map((/** @type {any} */ { id, name, countryCode }) => [id, `${name} (${id}, ${countryCode})`]);
      return { settings, accounts: named, known, calls };
    } catch (error) {
      this.#description = undefined;
      if (error instanceof APIError && error.status === 404) return null;
      throw error;
    }
  }

  /** @returns {Promise<Description>} */
  async #describe() {
    const { schemas } = (await this.#api.get("/openapi.json")).components;
    const { calls, timeRate, ...others } = schemas.SettingsChange.properties;
    return {
      switches: Object.entries(others).filter(([, { type }]) => type === "boolean")
        .map(([name, { title = name, description = "" }]) => ({ name, word: title, meaning: description })),
      rates: timeRate.enum.map((/** @type {number} */ rate, /** @type {number} */ index) => [String(rate), timeRate["x-enum-varnames"][index]]),
      calls: Object.keys(calls.properties),
    };
  }

  /**
   * @param {{settings: any, known: Description}} store
   * @param {string[]} failures - the errors with which a payment can fail
   */
  #switches({ settings, known }, failures) {
    const { error } = settings.calls[PAYMENT] ?? usual;
    return h("div", { class: "fields" },
      ...known.switches.map(({ name, word, meaning }) => h("div", {}, box(word, {
        checked: settings[name], "data-key": name, "aria-describedby": `setting-${name}`,
        onchange: (/** @type {Event} */ { target }) => {
          const change = { [name]: /** @type {HTMLInputElement} */ (target).checked };
          // Without its switch, the error must be removed too, or payments would still fail.
          return this.#pane.change(() => name === FAILING ? this.#behave(PAYMENT, { error: null }, change) : this.#api.patch(`${this.#path}/settings`, change));
        },
      }), h("span", { class: "quiet", id: `setting-${name}` }, ` ${meaning}`),
      name === FAILING && labelled("failureError", select({
        "data-key": "failureError", disabled: !settings[name],
        onchange: (/** @type {Event} */ { target }) => {
          const { value } = /** @type {HTMLSelectElement} */ (target);
          return this.#pane.change(() => this.#behave(PAYMENT, { error: value === USUAL_FAILURE ? null : value }));
        },
      }, failures, error ?? USUAL_FAILURE)))),
      labelled("timeRate", choice(this.#pane, "timeRate", known.rates, String(settings.timeRate), (rate) => this.#api.patch(`${this.#path}/settings`, { timeRate: Number(rate) }))),
      text(this.#pane, "storefront of the device", "device", settings.storefront, (storefront) => this.#api.patch(`${this.#path}/settings`, { storefront })),
      this.#seconds("grace period in seconds", "gracePeriodSeconds", settings.gracePeriodSeconds),
      this.#seconds("billing retry in seconds", "billingRetrySeconds", settings.billingRetrySeconds),
      text(this.#pane, "locale", "locale", settings.locale, (locale) => this.#api.patch(`${this.#path}/settings`, { locale })),
      text(this.#pane, "refererUrl", "refererUrl", settings.refererUrl ?? "", (url) => this.#api.patch(`${this.#path}/settings`, { refererUrl: url || null })));
  }

  /**
   * @param {Record<string, Behaviour>} behaviours
   * @param {FailingCall[]} calls
   */
  #behaviours(behaviours, calls) {
    return rows(calls.map(([name, errors]) => {
      const { delay, error, once } = behaviours[name] ?? usual;
      const change = (/** @type {Partial<Behaviour>} */ part) => this.#pane.change(() => this.#behave(name, part));
      return row(
        h("strong", { class: "grow" }, name),
        labelled("delay in ms", h("input", {
          type: "number", min: "0", max: "3600000", value: String(delay), "data-key": `${name} delay`, "aria-label": `Delay of ${name} in milliseconds`,
          onchange: (/** @type {Event} */ event) => change({ delay: Number(/** @type {HTMLInputElement} */ (event.target).value) }),
        })),
        labelled("error", select({
          "data-key": `${name} error`, "aria-label": `Error of ${name}`,
          onchange: (/** @type {Event} */ event) => change({ error: /** @type {HTMLSelectElement} */ (event.target).value || null }),
        }, ["", ...errors, ...(error && !errors.includes(error) ? [error] : [])].map((value) => [value, value || "none"]), error ?? "")),
        box("once", {
          checked: once, "data-key": `${name} once`, "aria-label": `Once for ${name}`,
          onchange: (/** @type {Event} */ event) => change({ once: /** @type {HTMLInputElement} */ (event.target).checked }),
        }),
        actions((delay > 0 || error) && button("As usual", () => this.#pane.change(() => this.#api.patch(`${this.#path}/settings`, { calls: { [name]: null } })),
          { "data-key": `${name} usual`, "aria-label": `${name} as usual` })));
    }));
  }

  /**
   * A field for a duration; empty for that of the time rate.
   * @param {string} label
   * @param {string} name
   * @param {number | null} value
   */
  #seconds(label, name, value) {
    return text(this.#pane, label, name, String(value ?? ""), async (given) => {
      if (!/^\d*$/u.test(given)) throw new Error(`${label}: give a whole number, or nothing for the length of the time rate.`);
      await this.#api.patch(`${this.#path}/settings`, { [name]: given === "" ? null : Number(given) });
    }, "that of the time rate");
  }

  /**
   * Changes the behaviour of a call. The other members keep their present values, which may be newer than those in the pane.
   * @param {string} name
   * @param {Partial<Behaviour>} change
   * @param {object} others - settings to change together with it
   */
  async #behave(name, change, others = {}) {
    const { calls } = await this.#api.get(`${this.#path}/settings`);
    await this.#api.patch(`${this.#path}/settings`, { ...others, calls: { [name]: { ...usual, ...calls[name], ...change } } });
  }
}
