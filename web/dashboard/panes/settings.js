// The settings of the store (OnsideKit) with the names of SKTestSession: the account, the answers to sheets, and the behaviour of each call.

import { APIError } from "../api.js";
import { button, form, h, labelled, select } from "../elements.js";
import { Pane } from "./pane.js";
import { actions, box, part, row, rows } from "./parts.js";

/** The switches: what SKTestSession calls them, our names, and what they do. */
const SWITCHES = [
  ["disableDialogs", "disableDialogs", "payments need no sheet"],
  ["askToBuyEnabled", "askToBuy", "someone else must approve each payment"],
  ["interruptedPurchasesEnabled", "interruptedPurchases", "each payment is interrupted"],
  ["failTransactionsEnabled", "failTransactions", "each payment fails"],
  ["billingGracePeriodIsEnabled", "billingGracePeriod", "a subscription goes on while its payment is tried again"],
  ["shouldEnterBillingRetryOnRenewal", "renewalBillingIssues", "payments of renewals do not succeed"],
  ["local testing", "localTesting", "the sandbox of the device, without accounts"],
];

/** The switch to which SKTestSession's `failureError` belongs: the error with which payments then fail, and the one that it is by itself. */
const FAILING = "failTransactions";
const USUAL_FAILURE = "cancelled";

/**
 * The behaviour of a call: a delay in milliseconds, an error, and whether both apply to the next call only.
 * @typedef {{delay: number, error: string | null, once: boolean}} Behaviour
 */

/** @type {Behaviour} */
const usual = { delay: 0, error: null, once: false };

/** The errors that only the contract 1.3 has, beside those of the bridge itself. */
const NEWER_ERRORS = ["presentationFailed", "rejectedAfterLogin", "reason"];

/** SKTestSession.TimeRate, with the numbers that StoreKit configuration files have. */
const RATES = /** @type {[string, string][]} */ ([
  ["0", "realTime"], ["1", "oneHourIsOneDay"], ["2", "thirtyMinutesIsOneDay"], ["3", "fiveMinutesIsOneDay"], ["4", "oneMinuteIsOneDay"],
  ["5", "thirtySecondsIsOneDay"], ["6", "oneSecondIsOneDay"], ["10", "monthlyRenewalEveryHour"], ["11", "monthlyRenewalEveryThirtyMinutes"],
  ["12", "monthlyRenewalEveryFifteenMinutes"], ["13", "monthlyRenewalEveryFiveMinutes"], ["15", "monthlyRenewalEveryThirtySeconds"],
  ["1000", "oneRenewalEveryFifteenMinutes"], ["1001", "oneRenewalEveryFiveMinutes"], ["1002", "oneRenewalEveryMinute"],
  ["1003", "oneRenewalEveryThirtySeconds"], ["1004", "oneRenewalEveryTenSeconds"], ["1005", "oneRenewalEveryTwoSeconds"],
]);

const PRESENTED = /** @type {[string, string][]} */ ([
  ["page", "the person in the page"], ["control", "this dashboard or a test"], ["auto", "nobody: each is approved at once"],
]);

export class SettingsPane extends Pane {
  static title = "Settings";
  static kinds = ["store", "control"];

  /**
   * The calls, and the possible errors of each. They do not change while the server runs.
   * @type {Promise<[string, string[]][]> | undefined}
   */
  #calls;

  async load() {
    const [session, store] = await Promise.all([this.api.get(this.path), this.#store()]);
    return h("div", { class: "parts" },
      part("Session", h("div", { class: "fields" },
        store && labelled("Account", this.#choice("account", [["", "nobody"], ...store.accounts], session.account ?? "", (account) =>
          this.api.patch(this.path, { account: account || null }))),
        store && this.#text("Storefront", "storefront", session.storefront ?? "", (storefront) => this.api.patch(this.path, { storefront: storefront || null }),
          "empty: not available"),
        labelled("Who answers sheets", this.#choice("present", PRESENTED, session.present, (present) => this.api.patch(this.path, { present }))))),
      store && part("Store", this.#switches(store.settings, possible(store.calls.find(([name]) => name === "payment")?.[1] ?? [], session.onsideContract)), button("As in the configuration", () =>
        this.change(() => this.api.delete(`${this.path}/settings`)), { "data-key": "restore" })),
      store && part("Calls", this.#behaviours(store.settings.calls, store.calls, session.onsideContract)));
  }

  /** What the store says of itself; null if it is switched off. */
  async #store() {
    this.#calls ??= this.#readCalls();
    try {
      const [settings, { accounts }, calls] = await Promise.all([
        this.api.get(`${this.path}/settings`), this.api.get(`${this.path}/accounts`), this.#calls,
      ]);
      /** @type {[string, string][]} */
      const named = accounts.map((/** @type {any} */ { id, name, countryCode }) => [id, `${name} (${id}, ${countryCode})`]);
      return { settings, accounts: named, calls };
    } catch (error) {
      this.#calls = undefined;
      if (error instanceof APIError && error.status === 404) return null;
      throw error;
    }
  }

  /** @returns {Promise<[string, string[]][]>} */
  async #readCalls() {
    const { schemas } = (await this.api.get("/openapi.json")).components;
    return Object.entries(schemas.SettingsChange.properties.calls.properties).map(([name, { $ref }]) =>
      [name, schemas[$ref.split("/").pop()].properties.error.enum.filter((/** @type {string | null} */ error) => error !== null)]);
  }

  /**
   * @param {any} settings
   * @param {string[]} failures - the errors with which a payment can fail
   */
  #switches(settings, failures) {
    const { error } = settings.calls.payment ?? usual;
    return h("div", { class: "fields" },
      ...SWITCHES.map(([word, name = "", meaning]) => h("div", {}, box(word ?? "", {
        checked: settings[name], "data-key": name, "aria-describedby": `setting-${name}`,
        onchange: (/** @type {Event} */ { target }) => {
          const change = { [name]: /** @type {HTMLInputElement} */ (target).checked };
          // Without its switch, the error must be removed too, or payments would still fail.
          return this.change(() => name === FAILING ? this.#behave("payment", { error: null }, change) : this.api.patch(`${this.path}/settings`, change));
        },
      }), h("span", { class: "quiet", id: `setting-${name}` }, ` ${meaning}`),
      name === FAILING && labelled("failureError", select({
        "data-key": "failureError", disabled: !settings[name],
        onchange: (/** @type {Event} */ { target }) => {
          const { value } = /** @type {HTMLSelectElement} */ (target);
          return this.change(() => this.#behave("payment", { error: value === USUAL_FAILURE ? null : value }));
        },
      }, failures, error ?? USUAL_FAILURE)))),
      labelled("timeRate", this.#choice("timeRate", RATES, String(settings.timeRate), (rate) => this.api.patch(`${this.path}/settings`, { timeRate: Number(rate) }))),
      this.#text("storefront of the device", "device", settings.storefront, (storefront) => this.api.patch(`${this.path}/settings`, { storefront })),
      this.#seconds("grace period in seconds", "gracePeriodSeconds", settings.gracePeriodSeconds),
      this.#seconds("billing retry in seconds", "billingRetrySeconds", settings.billingRetrySeconds),
      this.#text("locale", "locale", settings.locale, (locale) => this.api.patch(`${this.path}/settings`, { locale })),
      this.#text("refererUrl", "refererUrl", settings.refererUrl ?? "", (url) => this.api.patch(`${this.path}/settings`, { refererUrl: url || null })));
  }

  /**
   * @param {Record<string, Behaviour>} behaviours
   * @param {[string, string[]][]} calls
   * @param {string} contract
   */
  #behaviours(behaviours, calls, contract) {
    return rows(calls.map(([name, errors]) => {
      const { delay, error, once } = behaviours[name] ?? usual;
      const change = (/** @type {Partial<Behaviour>} */ part) => this.change(() => this.#behave(name, part));
      return row(
        h("strong", { class: "grow" }, name),
        labelled("delay in ms", h("input", {
          type: "number", min: "0", max: "3600000", value: String(delay), "data-key": `${name} delay`, "aria-label": `Delay of ${name} in milliseconds`,
          onchange: (/** @type {Event} */ event) => change({ delay: Number(/** @type {HTMLInputElement} */ (event.target).value) }),
        })),
        labelled("error", select({
          "data-key": `${name} error`, "aria-label": `Error of ${name}`,
          onchange: (/** @type {Event} */ event) => change({ error: /** @type {HTMLSelectElement} */ (event.target).value || null }),
        }, [["", "none"], ...possible(errors, contract, error)], error ?? "")),
        box("once", {
          checked: once, "data-key": `${name} once`, "aria-label": `Once for ${name}`,
          onchange: (/** @type {Event} */ event) => change({ once: /** @type {HTMLInputElement} */ (event.target).checked }),
        }),
        actions((delay > 0 || error) && button("As usual", () => this.change(() => this.api.patch(`${this.path}/settings`, { calls: { [name]: null } })),
          { "data-key": `${name} usual`, "aria-label": `${name} as usual` })));
    }));
  }

  /**
   * @param {string} key
   * @param {(string | [string, string])[]} options
   * @param {string} chosen
   * @param {(value: string) => Promise<unknown>} submit
   */
  #choice(key, options, chosen, submit) {
    return select({
      "data-key": key, onchange: (/** @type {Event} */ event) => this.change(() => submit(/** @type {HTMLSelectElement} */ (event.target).value)),
    }, options, chosen);
  }

  /**
   * @param {string} label
   * @param {string} key
   * @param {string} value
   * @param {(value: string) => Promise<unknown>} submit
   * @param {string} placeholder
   */
  #text(label, key, value, submit, placeholder = "") {
    return form({ class: "line" }, ({ value: given = "" }) => this.change(() => submit(given.trim())),
      labelled(label, h("input", { name: "value", value, placeholder, autocomplete: "off", spellcheck: "false", "data-key": key })),
      h("button", { "data-key": `set ${key}`, "aria-label": `Set ${label}` }, "Set"));
  }

  /**
   * A field for a duration; empty for that of the time rate.
   * @param {string} label
   * @param {string} name
   * @param {number | null} value
   */
  #seconds(label, name, value) {
    return this.#text(label, name, String(value ?? ""), async (given) => {
      if (!/^\d*$/u.test(given)) throw new Error(`${label}: give a whole number, or nothing for the length of the time rate.`);
      await this.api.patch(`${this.path}/settings`, { [name]: given === "" ? null : Number(given) });
    }, "that of the time rate");
  }

  /**
   * Changes the behaviour of a call. The other members keep their present values, which may be newer than those in the pane.
   * @param {string} name
   * @param {Partial<Behaviour>} change
   * @param {object} others - settings to change together with it
   */
  async #behave(name, change, others = {}) {
    const { calls } = await this.api.get(`${this.path}/settings`);
    await this.api.patch(`${this.path}/settings`, { ...others, calls: { [name]: { ...usual, ...calls[name], ...change } } });
  }
}
customElements.define("settings-pane", SettingsPane);

/**
 * The errors of a call in the session's contract, and the one that is set.
 * @param {string[]} errors
 * @param {string} contract
 * @param {string | null} current
 */
const possible = (errors, contract, current = null) =>
  errors.filter((each) => contract !== "docs" || each === current || !each.startsWith("bridge.") && !NEWER_ERRORS.includes(each));
