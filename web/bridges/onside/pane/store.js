// The products of the store in a country, the orders, and the payment queue.

import { button, form, h, labelled, select } from "../../../dashboard/elements.js";
import { dateAndTime } from "../../../dashboard/entry-text.js";
import { Pane } from "../../../dashboard/panes/pane.js";
import { actions, choices, empty, ifThere, part, row, rows, tag } from "../../../dashboard/panes/parts.js";

/** What can be added, and the request that adds it. */
const ADDED = /** @type {Record<string, {label: string, path: string, body: object}>} */ ({
  order: { label: "an order", path: "purchases", body: {} },
  delivered: { label: "an order that the page still gets", path: "purchases", body: { finished: false } },
  approval: { label: "a payment that waits for approval", path: "transactions", body: { waitingFor: "approval" } },
  interruption: { label: "an interrupted payment", path: "transactions", body: { waitingFor: "interruption" } },
  failed: { label: "a failed payment, not finished", path: "transactions", body: { error: "cancelled" } },
});

export class StorePane extends Pane {
  static title = "Store";
  static kinds = ["store", "control", "page"];

  /** The country whose products are shown; empty for that of the session. */
  #country = "";
  #field = h("input", { name: "country", maxlength: "3", size: "3", pattern: "[A-Za-z]{2,3}", autocomplete: "off", "data-key": "country", placeholder: "ES" });
  #place = form({ class: "line" }, ({ country = "" }) => this.#choose(country.trim()),
    labelled("Country", this.#field), h("button", { "data-key": "show country" }, "Show"),
    button("The session's", () => this.#choose(""), { "data-key": "own country" }));
  #product = h("select", { name: "product", "data-key": "product" });
  #account = h("select", { name: "account", "data-key": "account" });
  #adding = form({ class: "line" }, (fields) => this.#add(fields),
    labelled("Add", select({ name: "what", "data-key": "what" }, Object.entries(ADDED).map(([name, { label }]) => [name, label]))),
    labelled("of", this.#product), labelled("for", this.#account),
    labelled("bought on", h("input", { name: "purchasedAt", type: "date", "data-key": "purchasedAt" })),
    labelled("with the offer", h("input", { name: "offer", autocomplete: "off", placeholder: "its id", "data-key": "offer" })),
    h("button", { "data-key": "add" }, "Add"));
  #clearing = button("Delete all orders and unfinished transactions", async () => {
    await this.api.delete(`${this.path}/purchases`);
    this.refresh();
  }, { "data-key": "clear" });
  #subscription = h("select", { name: "purchase", "data-key": "subscription" });
  #raising = form({ class: "line" }, ({ purchase = "", price }) =>
    this.#change(`purchases/${encodeURIComponent(purchase)}/price-increase`, { price: Number(price) }),
    labelled("Raise the price of", this.#subscription),
    labelled("to", h("input", { name: "price", type: "number", min: "0", step: "any", required: true, "data-key": "price" })),
    h("button", { "data-key": "raise" }, "Ask for consent"));

  async load() {
    return ifThere(async () => {
      const query = this.#country ? `?country=${encodeURIComponent(this.#country)}` : "";
      const [offering, ledger, { transactions }, { accounts }, { account }] = await Promise.all([
        this.api.get(`${this.path}/products${query}`), this.api.get(`${this.path}/purchases`),
        this.api.get(`${this.path}/transactions`), this.api.get(`${this.path}/accounts`), this.api.get(this.path),
      ]);
      choices(this.#product, [...offering.products.map((/** @type {any} */ each) => [each.productIdentifier, each.localizedTitle]),
        ...offering.unavailable.map((/** @type {string} */ id) => [id, `${id} (not sold here)`])]);
      const renewing = ledger.subscriptions.filter((/** @type {any} */ each) => each.renewsAutomatically);
      choices(this.#subscription, renewing.map((/** @type {any} */ each) => [each.purchase, `${each.product} of ${each.account}`]));
      choices(this.#account, accounts.map((/** @type {any} */ each) => [each.id, `${each.id}${each.id === account ? " (signed in)" : ""}`]), account);
      return () => h("div", { class: "parts" },
        part("Unfinished transactions", this.#transactions(transactions)),
        part("Orders", this.#orders(ledger), ledger.purchases.length > 0 && this.#clearing, this.#adding, renewing.length > 0 && this.#raising),
        part(`Products in ${offering.countryCode}`, this.#place, this.#products(offering)));
    });
  }

  /** @param {string} country */
  async #choose(country) {
    if (country) await this.api.get(`${this.path}/products?country=${encodeURIComponent(country)}`);
    this.#country = this.#field.value = country.toUpperCase();
    this.refresh();
  }

  /** @param {Record<string, string>} fields */
  async #add({ what = "", product, account, purchasedAt, offer }) {
    const { path, body } = /** @type {{path: string, body: object}} */ (ADDED[what]);
    const isOrder = path === "purchases";
    const time = isOrder && purchasedAt ? { purchasedAt: `${purchasedAt}T12:00:00Z` } : {};
    await this.api.post(`${this.path}/${path}`, {
      product, ...(account ? { account } : {}), ...time, ...(isOrder && offer ? { offer } : {}), ...body,
    });
    this.refresh();
  }

  /** @param {any} offering */
  #products({ products, unavailable }) {
    if (products.length + unavailable.length === 0) return empty("The catalogue is empty. Give the server one with --catalog.");
    return rows(
      products.map((/** @type {any} */ product) => row(
        h("strong", {}, product.localizedTitle), h("code", { class: "grow" }, product.productIdentifier), tag(words(product.type)),
        h("span", {}, money(product.price), product.subscriptionPeriod && ` for ${period(product.subscriptionPeriod)}`),
        product.introductoryPrice && tag(`new subscribers: ${money(product.introductoryPrice.price)} for ${period(product.introductoryPrice.period)}`),
        product.discountedPrice && tag(`offer: ${money(product.discountedPrice.price)} for ${period(product.discountedPrice.period)}`))),
      unavailable.map((/** @type {string} */ id) => row(h("code", { class: "grow" }, id), tag("not sold here", "bad"))));
  }

  /** @param {any} ledger */
  #orders({ purchases, subscriptions }) {
    if (purchases.length === 0) return empty("Nobody has bought anything.");
    return rows([...purchases].reverse().map((/** @type {any} */ order) => {
      const subscription = subscriptions.find((/** @type {any} */ { purchase }) => purchase === order.id);
      const isLatest = !purchases.some((/** @type {any} */ other) => other.originalId === order.originalId && other.purchasedAt > order.purchasedAt);
      // A renewal is another order of the same subscription, with buttons of its own.
      const act = (/** @type {string} */ label, /** @type {string} */ verb, key = `${order.originalId} ${verb}`) =>
        button(label, () => this.#change(`purchases/${encodeURIComponent(order.id)}/${verb}`), { "data-key": key, "aria-label": `${label} ${order.product}` });
      return row(
        h("strong", {}, order.product), h("code", { class: "grow" }, order.id), h("span", {}, order.account), h("span", {}, money(order.price)),
        h("span", {}, dateAndTime(Date.parse(order.purchasedAt)), order.expiresAt && ` to ${dateAndTime(Date.parse(order.expiresAt))}`),
        order.reason === "RENEWAL" && tag("renewal"), order.revokedAt && tag("refunded", "bad"), subscription && state(subscription),
        order.type === "RecurringSubscription" && isLatest && !subscription && !order.revokedAt && tag("expired", "bad"),
        actions(
          !order.revokedAt && act("Refund", "refund", `${order.id} refund`),
          order.type === "RecurringSubscription" && isLatest && act("Renew", "renew"),
          subscription && act("Expire", "expire"),
          subscription?.priceIncrease?.status === "pending" && [
            act("Consent", "price-increase/consent"), act("Decline", "price-increase/decline"),
          ],
          subscription && (subscription.renewsAutomatically
            ? act("Cancel", "cancel", `${order.originalId} renewal`) : act("Resume", "resume", `${order.originalId} renewal`)),
          button("Delete", async () => {
            await this.api.delete(`${this.path}/purchases/${encodeURIComponent(order.id)}`);
            this.refresh();
          }, { "data-key": `${order.id} delete`, "aria-label": `Delete ${order.product}` })));
    }));
  }

  /** @param {any[]} transactions */
  #transactions(transactions) {
    if (transactions.length === 0) return empty("The payment queue is empty.");
    return rows(transactions.map((transaction) => {
      const path = `transactions/${encodeURIComponent(transaction.id)}`;
      const named = (/** @type {string} */ label) => ({ "data-key": `${transaction.id} ${label}`, "aria-label": `${label} ${transaction.productIdentifier}` });
      const act = (/** @type {string} */ label, /** @type {string} */ verb) => button(label, () => this.#change(`${path}/${verb}`), named(label));
      return row(
        h("strong", {}, transaction.productIdentifier), h("code", { class: "grow" }, transaction.id),
        tag(transaction.state, transaction.state === "failed" ? "bad" : transaction.state === "purchasing" ? "" : "good"),
        transaction.error && h("span", { class: "bad" }, transaction.error),
        transaction.waitingFor && h("span", { class: "waits" }, `waits for ${transaction.waitingFor === "approval" ? "approval" : "an interruption to end"}`),
        actions(
          transaction.waitingFor && act("Approve", "approve"), transaction.waitingFor && act("Decline", "decline"),
          transaction.state === "purchasing" && act("Fail", "fail"),
          button("Delete", async () => {
            await this.api.delete(`${this.path}/${path}`);
            this.refresh();
          }, named("Delete"))));
    }));
  }

  /**
   * @param {string} path
   * @param {object} [body]
   */
  async #change(path, body) {
    await this.api.post(`${this.path}/${path}`, body);
    this.refresh();
  }
}
customElements.define("store-pane", StorePane);

/** @param {any} subscription */
function state({ inBillingRetry, renewsAutomatically, nextProduct, priceIncrease }) {
  if (inBillingRetry) return tag("payment is tried again", "bad");
  if (!renewsAutomatically) return tag("ends with its period");
  if (priceIncrease?.status === "pending") return tag(`renews at ${money(priceIncrease.price)} with consent`);
  if (priceIncrease?.status === "agreed") return tag(`renews at ${money(priceIncrease.price)}`, "good");
  return tag(nextProduct ? `renews as ${nextProduct}` : "renews", "good");
}

/** @param {{value: number, currencyCode: string}} price */
const money = ({ value, currencyCode }) => `${value} ${currencyCode}`;

/** @param {{unit: string, numberOfUnits: number}} period */
const period = ({ unit, numberOfUnits }) => numberOfUnits === 1 ? `a ${unit}` : `${numberOfUnits} ${unit}s`;

/** @param {string} type - as the catalogue has it: `NonConsumable` */
const words = (type) => type.replace(/(?<!^)[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();
