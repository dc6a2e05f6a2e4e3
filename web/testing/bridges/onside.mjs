// Onside's part of a session: its sheets, the payment queue, the ledger, and the settings of the store.

import { rfc3339 } from "../core/journal.mjs";
import { ExpectedSheet } from "../core/sheets.mjs";

/** @typedef {import("../core/rules.mjs").Which} Which */
/** @typedef {import("../core/session.mjs").CoreSession} CoreSession */
/** @typedef {import("../core/session.mjs").Patience} Patience */
/** @typedef {import("../core/session.mjs").SessionBase} SessionBase */
/**
 * The settings of the store, by their names in footbridge.yaml.
 * @typedef {{failTransactions?: boolean, askToBuy?: boolean, interruptedPurchases?: boolean, disableDialogs?: boolean,
 *   billingGracePeriod?: boolean, renewalBillingIssues?: boolean, localTesting?: boolean, timeRate?: number,
 *   gracePeriodSeconds?: number | null, billingRetrySeconds?: number | null, storefront?: string,
 *   locale?: string, refererUrl?: string | null,
 *   calls?: {[name: string]: {delay?: number, error?: string | null, once?: boolean} | null}}} Settings
 */
/**
 * Onside's options of a new session.
 * @typedef {{account?: string | null, storefront?: string | null, settings?: Settings}} OnsideOptions
 */

/**
 * The values that members of a transaction can have.
 * @type {Record<string, unknown[]>}
 */
const transactionValues = {
  state: ["purchasing", "purchased", "restored", "failed"],
  waitingFor: ["approval", "interruption", null],
  error: ["cancelled", "presentationFailed", null],
};
/** The other members of a transaction. */
const transactionMembers = ["id", "transactionIdentifier", "originalTransactionIdentifier", "storefront"];

/**
 * Adds Onside's part of a session. `store` is the store of the session.
 * @template {SessionBase} Base
 * @param {Base} base
 */
export function withOnside(base) {
  return class extends base {
    store = new Store(this);

    /**
     * Expects the payment sheet of a product: `expectPurchase("coins").approve()`.
     * @param {string} product
     */
    expectPurchase(product) {
      return new ExpectedSheet(this, `payment sheet for ${product}`, "payment", { product: { productIdentifier: product } });
    }

    /** Expects the login sheet: `expectLogin().approve({ account: "eva" })`. */
    expectLogin() {
      return this.expectSheet("login");
    }

    /**
     * Returns the settings of the store.
     * @returns {Promise<Settings>}
     */
    async settings() {
      return this.request("GET", "/settings");
    }

    /**
     * Changes some settings of the store: `changeSettings({ askToBuy: true })`.
     * @param {Settings} settings
     */
    async changeSettings(settings) {
      await this.request("PATCH", "/settings", settings);
    }

    /** Gives all settings of the store the values of the configuration again. */
    async restoreSettings() {
      await this.request("DELETE", "/settings");
    }

    /**
     * Decides the outcome of calls. `product` is short for a `where` with this product: `when("onside.purchase", { product: "coins" })`.
     * @param {string} on
     * @param {Which & {product?: string}} options
     */
    when(on, { product, where, ...others } = {}) {
      return super.when(on, { where: { ...(product === undefined ? {} : ofProduct(on, product)), ...where }, ...others });
    }

    /**
     * @param {string} kind
     * @param {any} content
     */
    describeSheet(kind, content) {
      const product = content.product?.productIdentifier;
      return product ? `${kind} for ${product}` : super.describeSheet(kind, content);
    }
  };
}

/** The store of one session. */
export class Store {
  #session;

  /** @param {CoreSession} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * Returns the transactions in the payment queue, oldest first.
   * @returns {Promise<Transaction[]>}
   */
  async transactions() {
    const { transactions } = await this.#session.request("GET", "/transactions");
    return transactions.map((/** @type {any} */ members) => new Transaction(this.#session, members));
  }

  /**
   * Waits for a transaction of this product with these members: `waitForTransaction("coins", { waitingFor: "approval" })`.
   * @param {string} product
   * @param {{state?: string, waitingFor?: "approval" | "interruption"}} [members]
   * @param {Patience} patience
   */
  async waitForTransaction(product, members = {}, { timeout = this.#session.timeout } = {}) {
    checkTransaction(members);
    const data = { productIdentifier: product, ...members };
    return this.#session.waitUntilFound({ kind: "store", action: "transaction", data }, {
      timeout,
      expected: `transaction had ${JSON.stringify(data)}`,
      find: async (entry) => (
        (await this.transactions()).find((transaction) => (
          transaction.id === entry.data.id && Object.entries(data).every(([name, value]) => transaction.members[name] === value)
        ))
      ),
      lost: ({ cursor }) => `#${cursor} was one. It has changed or left the queue since.`,
    });
  }

  /**
   * Adds a transaction to the queue as if an earlier launch had left it.
   * @param {string} product
   * @param {{account?: string, waitingFor?: "approval" | "interruption", error?: string}} members
   */
  async addTransaction(product, members) {
    return new Transaction(this.#session, await this.#session.request("POST", "/transactions", { product, ...members }));
  }

  /**
   * Returns the orders in the ledger, oldest first.
   * @returns {Promise<Purchase[]>}
   */
  async purchases() {
    const { purchases } = await this.#session.request("GET", "/purchases");
    return purchases.map((/** @type {any} */ members) => new Purchase(this.#session, members));
  }

  /**
   * Returns the active subscriptions, as in the control API.
   * @returns {Promise<any[]>}
   */
  async subscriptions() {
    return (await this.#session.request("GET", "/purchases")).subscriptions;
  }

  /**
   * Adds an order as if it had been made before. With `finished: false`, the page gets it.
   * @param {string} product
   * @param {{account?: string, purchasedAt?: Date | string, finished?: boolean, quantity?: number, appAccountToken?: string,
   *   offer?: string}} members - `quantity` makes as many orders; `offer` is the id of a promotional or win-back offer
   */
  async addPurchase(product, { purchasedAt, ...members } = {}) {
    const time = purchasedAt ? { purchasedAt: rfc3339(purchasedAt) } : {};
    const { purchases } = await this.#session.request("POST", "/purchases", { product, ...time, ...members });
    return new Purchase(this.#session, purchases[0]);
  }

  /** Deletes all orders, subscriptions and transactions. The account, the settings and the app stay. */
  async clear() {
    await this.#session.request("DELETE", "/purchases");
  }

  /**
   * Ends the subscription of a product now. By default, that of the account that is signed in.
   * @param {string} product
   * @param {{account?: string}} subscriber
   */
  async expire(product, subscriber = {}) {
    await this.#decide(product, "expire", subscriber);
  }

  /**
   * Ends the current period of the subscription of a product now, and begins the next.
   * @param {string} product
   * @param {{account?: string}} subscriber
   */
  async renew(product, subscriber = {}) {
    await this.#decide(product, "renew", subscriber);
  }

  /**
   * Turns off the renewal of the subscription of a product.
   * @param {string} product
   * @param {{account?: string}} subscriber
   */
  async cancel(product, subscriber = {}) {
    await this.#decide(product, "cancel", subscriber);
  }

  /**
   * Turns the renewal of the subscription of a product on again.
   * @param {string} product
   * @param {{account?: string}} subscriber
   */
  async resume(product, subscriber = {}) {
    await this.#decide(product, "resume", subscriber);
  }

  /**
   * Returns the published keys of the server's store, the current one first.
   * @returns {Promise<{kid: string, current: boolean, publishedUntil: string | null}[]>}
   */
  async signingKeys() {
    return (await this.#session.server.request("GET", "/signing-keys")).keys;
  }

  /**
   * Lets the server's store sign with a new key, for all sessions. The former key stays published for this many seconds: an hour if you do
   * not say.
   * @param {{publishFormerFor?: number}} how
   * @returns {Promise<{kid: string, current: boolean, publishedUntil: string | null}[]>}
   */
  async rotateSigningKey(how = {}) {
    return (await this.#session.server.request("POST", "/signing-keys", how)).keys;
  }

  /**
   * @param {string} product
   * @param {string} what
   * @param {{account?: string}} subscriber
   */
  async #decide(product, what, subscriber) {
    await this.#session.request("POST", `/subscriptions/${encodeURIComponent(product)}/${what}`, subscriber);
  }

  /**
   * Returns the notifications for the backend: those delivered since the app was launched, then those that wait, oldest first.
   * @returns {Promise<Notification[]>}
   */
  async notifications() {
    const { notifications } = await this.#session.request("GET", "/notifications");
    return notifications.map((/** @type {any} */ members) => new Notification(this.#session, members));
  }

  /** Sends the backend a notification of the type `TEST`. */
  async sendTestNotification() {
    return new Notification(this.#session, await this.#session.request("POST", "/notifications/test"));
  }
}

/** A notification for the publisher's backend. `members` are its members in the control API. */
export class Notification {
  #session;

  /**
   * @param {CoreSession} session
   * @param {any} members
   */
  constructor(session, members) {
    this.#session = session;
    /** @type {string} */
    this.id = members.id;
    /** @type {string} */
    this.type = members.type;
    /** @type {"waiting" | "delivered"} */
    this.state = members.state;
    this.members = members;
  }

  /** Sends it again: one that waits without a pause, one that was delivered after those that wait. */
  async resend() {
    await this.#session.request("POST", `/notifications/${encodeURIComponent(this.id)}/resend`);
  }
}

/** A transaction in the payment queue. `members` are its members in the control API. */
export class Transaction {
  #session;

  /**
   * @param {CoreSession} session
   * @param {any} members
   */
  constructor(session, members) {
    this.#session = session;
    /** @type {string} */
    this.id = members.id;
    /** @type {string} */
    this.product = members.productIdentifier;
    /** @type {string} */
    this.state = members.state;
    /** @type {string | null} */
    this.error = members.error;
    this.members = members;
  }

  /** Approves the payment that waits for approval, or resolves the interruption. */
  async approve() {
    await this.#session.request("POST", `/transactions/${encodeURIComponent(this.id)}/approve`);
  }

  /** Declines the payment that waits for approval, or makes the interrupted payment fail. */
  async decline() {
    await this.#session.request("POST", `/transactions/${encodeURIComponent(this.id)}/decline`);
  }

  /**
   * Makes the transaction fail, in any state.
   * @param {string} [error]
   */
  async fail(error = "cancelled") {
    await this.#session.request("POST", `/transactions/${encodeURIComponent(this.id)}/fail`, { error });
  }

  /** Removes the transaction from the queue, whatever its state. An order that it has completed stays. */
  async delete() {
    await this.#session.request("DELETE", `/transactions/${encodeURIComponent(this.id)}`);
  }
}

/** An order. `members` are its members in the control API. */
export class Purchase {
  #session;

  /**
   * @param {CoreSession} session
   * @param {any} members
   */
  constructor(session, members) {
    this.#session = session;
    /** @type {string} */
    this.id = members.id;
    /** @type {string} */
    this.product = members.product;
    /** @type {string} */
    this.account = members.account;
    this.members = members;
  }

  /** Refunds the order. */
  async refund() {
    await this.#decide("refund");
  }

  /** Ends the subscription now. */
  async expire() {
    await this.#decide("expire");
  }

  /** Ends the current period of the subscription now, and begins the next. */
  async renew() {
    await this.#decide("renew");
  }

  /** Turns off the renewal of the subscription. */
  async cancel() {
    await this.#decide("cancel");
  }

  /** Turns the renewal of the subscription on again. */
  async resume() {
    await this.#decide("resume");
  }

  /** Deletes the order, as if it had never been made. */
  async delete() {
    await this.#session.request("DELETE", `/purchases/${encodeURIComponent(this.id)}`);
  }

  /**
   * Makes the subscription more expensive from its next renewal on, if the person consents: `expectSheet("priceIncrease")`.
   * @param {number | string} price
   */
  async requestPriceIncrease(price) {
    await this.#decide("price-increase", { price });
  }

  /** Consents to the price increase. The sheet closes. */
  async consentToPriceIncrease() {
    await this.#decide("price-increase/consent");
  }

  /** Declines the price increase: the subscription no longer renews. The sheet closes. */
  async declinePriceIncrease() {
    await this.#decide("price-increase/decline");
  }

  /**
   * @param {string} what
   * @param {object} [body]
   */
  async #decide(what, body) {
    await this.#session.request("POST", `/purchases/${encodeURIComponent(this.id)}/${what}`, body);
  }
}

/**
 * Refuses members that no transaction ever has: a wait for them would only end by its timeout.
 * @param {object} members
 */
function checkTransaction(members) {
  for (const [name, value] of Object.entries(members)) {
    const values = transactionValues[name];
    if (!values && !transactionMembers.includes(name)) {
      throw new TypeError(`A transaction has no member ${name}. It has: ${[...Object.keys(transactionValues), ...transactionMembers].join(", ")}.`);
    }
    if (values && !values.includes(value)) {
      const listed = values.map((each) => JSON.stringify(each)).join(", ");
      throw new TypeError(`The ${name} of a transaction is never ${JSON.stringify(value)}. It is one of: ${listed}.`);
    }
  }
}

/**
 * The pattern of calls about a product.
 * @param {string} on
 * @param {string} product
 */
function ofProduct(on, product) {
  const name = { productIdentifier: product };
  if (on === "onside.loadProducts") return { productIdentifiers: { $contains: product } };
  const transaction = { payment: { product: name } };
  if (on.startsWith("onside.onTransactions")) return { transactions: { $contains: transaction } };
  if (on.startsWith("onside.shouldContinue")) return { transaction };
  return on.startsWith("footbridge.sheet.") ? { product: name } : name;
}
