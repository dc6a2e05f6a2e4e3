// Resources of the app in workers, whose scripts begin with this.

import { addressesOf } from "./addresses.js";
import { takeRequests } from "./requests.js";

/** @type {any} */
const worker = globalThis;
const addresses = addressesOf(Object.fromEntries(/** @type {any} */ (configuration).schemes), `${location.origin}/__footbridge/`);
takeRequests(addresses);
const { importScripts } = worker;
if (importScripts) {
  worker.importScripts = {
    /** @param {unknown[]} list */
    importScripts(...list) {
      return Reflect.apply(importScripts, worker, list.map((address) => addresses.served(address) ?? address));
    },
  }.importScripts;
}
