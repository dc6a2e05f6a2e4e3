// The store of the session, for adapters: what `message.store` is for handlers.

import { NativePromise, then } from "../../shim/builtins.js";
import { isOpaque } from "../../shim/configuration.js";
import { request } from "../../shim/connection.js";
import { hooks, sheetHost } from "../../shim/parts.js";
import { nativeError } from "../../shim/webkit.js";
import "./adapters.js";
import { guarded } from "./guarded.js";
import { copyForHost, failureOf, hear } from "./shim.js";

/** @typedef {import("./shim.js").DeclaredConfiguration} DeclaredConfiguration */

/**
 * The store of the session. Each promise can reject with an `Error` that has a `code`, such as `cancelled`.
 * @typedef {object} Store
 * @property {(...identifiers: string[]) => Promise<any[]>} products - the products with these identifiers, or all
 * @property {(product: string, more?: {offer?: string, appAccountToken?: string}) => Promise<{state: "purchased" | "pending", transaction?: any}>}
 *   purchase - buys a product, with the store's sheets
 * @property {() => Promise<any[]>} restore - restores what the account has bought, and resolves with its entitlements
 * @property {(transaction: string) => Promise<void>} finish - finishes the transaction with this id
 * @property {() => Promise<any[]>} unfinished - the transactions that the app has not finished
 * @property {() => Promise<any[]>} entitlements - what the account has now
 * @property {() => Promise<any[]>} transactions - all transactions of the account
 * @property {() => Promise<string>} history - the signed history of the account, a compact JWS
 * @property {() => Promise<{countryCode: string} | null>} storefront - the country of the account; null while nobody is signed in
 * @property {(take: (notice: any) => unknown) => Promise<void>} listen - gives what happens in the store from now on to `take`
 */

/** @type {(bridge: DeclaredConfiguration) => Store} */
const makeStore = (bridge) => {
  /**
   * @param {string} store - the operation
   * @param {Record<string, any>} members
   * @returns {Promise<any>}
   */
  const ask = (store, members = {}) => new NativePromise((resolve, reject) => {
    if (isOpaque) return reject(nativeError("A document without an origin has no store."));
    const copy = /** @type {any} */ (copyForHost(members));
    request("footbridge.store", { bridge: bridge.name, store, members: copy }, (payload) => {
      if (payload.status === "error") reject(failureOf(payload));
      else resolve(payload.data?.value);
    });
  });
  /** @type {((notice: any) => unknown)[]} */
  const takers = [];
  const { hello } = hooks;
  hooks.hello = () => {
    hello?.();
    // Another server may run the session now.
    if (takers.length) then(ask("listen"), () => {}, () => {});
  };
  hear(bridge, "notice", (notice) => {
    for (let index = 0; index < takers.length; index++) guarded(() => takers[index](notice));
  });
  return {
    products: (...identifiers) => ask("products", identifiers.length ? { products: identifiers } : {}),
    purchase: (product, { offer, appAccountToken } = {}) => ask("purchase", { product, offer, appAccountToken }),
    restore: () => ask("restore"),
    finish: (transaction) => ask("finish", { transaction }),
    unfinished: () => ask("unfinished"),
    entitlements: () => ask("entitlements"),
    transactions: () => ask("transactions"),
    history: () => ask("history"),
    storefront: () => ask("storefront"),
    listen(take) {
      takers[takers.length] = take;
      return ask("listen");
    },
  };
};

const { adapt } = hooks;
hooks.adapt = (bridge) => {
  adapt?.(bridge);
  // What a developer's adapter gets when it registers itself.
  const native = /** @type {any} */ (sheetHost).adapters?.[bridge.name];
  if (native) native.store = makeStore(bridge);
};
