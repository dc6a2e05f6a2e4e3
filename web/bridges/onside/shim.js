// `window.onside`. Contract "docs" is the page "JS <--> Native Bridge"; in "1.3" functions appear once
// `initializeOnside("v1")` has resolved, each returns a promise, and only the main frame has them.

import {
  apply, assign, defineProperty, hasOwn, isArray, NativeError, NativePromise, reportUncaught, startTimer, warn,
} from "../../shim/builtins.js";
import { isTopFrame } from "../../shim/configuration.js";
import { answer, request } from "../../shim/connection.js";
import { encode } from "../../shim/copy.js";
import { queue, whenPageListens } from "../../shim/listening.js";
import { hooks, listeners, sheetHost } from "../../shim/parts.js";
import { observe } from "../../shim/watching.js";
import { installs } from "../../shim/webkit.js";

const isNewest = configuration.onsideContract === "1.3";

/**
 * @typedef {object} NativeFunction
 * @property {string} [parameter] - the name of its parameter; the members of an `input` are the data
 * @property {string} [result] - the member of the answer's data that the promise resolves with; "*" is the whole data
 * @property {true} [synchronous] - returns at once and never throws, with any argument
 */

/** @type {Record<string, NativeFunction>} */
const onsideFunctions = {
  setAppearance: { parameter: "theme", synchronous: true },
  setShouldForceLocalLoginMethods: { parameter: "force", synchronous: true },
  setDefaultCountryCodeAssumption: { parameter: "countryCode", synchronous: true },
  trackEvent: { parameter: "input", synchronous: true },
  requestLogin: {},
  logout: { synchronous: true },
  presentPaymentMethodsManager: {},
  getCurrentStorefront: { result: "storefront" },
  loadProducts: { parameter: "input", result: "*" },
  purchase: { parameter: "input" },
  restoreCompletedTransactions: {},
  getTransactions: { result: "transactions" },
  finishTransaction: { parameter: "id" },
  getAttributionMetadata: { result: "*" },
  getSignedInAppsHistory: { result: "*" },
};

/**
 * Callbacks of the page, and the member of the message's data that is their argument; "*" is the whole data. Without a
 * member they get an empty object, as from the real bridge.
 * @type {Record<string, string>}
 */
const onsideCallbacks = {
  onTransactionsUpdated: "transactions",
  onTransactionsRemoved: "transactions",
  onStorefrontChanged: "storefront",
  onRestoreCompletedTransactionsFinished: "",
  onRestoreCompletedTransactionsFailedWithError: "error",
  shouldContinueTransaction: "*",
  shouldContinueTransactionAfterLogin: "*",
};

/** @type {Record<string, any>} */
const onside = {};

/**
 * Makes an error of the bridge itself: an `Error`, unlike the host's `{ <case>: {} }`.
 * @param {string} code
 * @param {string} message
 */
function bridgeError(code, message) {
  return assign(new NativeError(message), { name: "PontoonBridgeError", code });
}

/**
 * @param {string} parameter
 * @param {unknown} argument
 * @throws a `PontoonBridgeError` with the newer contract's code if the argument cannot be sent
 */
function parametersOf(parameter, argument) {
  let value;
  try {
    value = encode(argument);
  } catch (error) {
    const reason = error instanceof NativeError ? error.message : "reading them failed";
    throw bridgeError("parametersNotRepresentable", `Parameters cannot be sent: ${reason}`);
  }
  if (parameter === "input") {
    if (value === undefined || value === null) return {};
    if (typeof value === "object" && !isArray(value)) return value;
  }
  return { [parameter]: value };
}

/**
 * @param {string} name
 * @param {NativeFunction} native
 * @param {unknown} argument
 * @param {(value?: unknown) => void} resolve
 * @param {(error: unknown) => void} reject
 */
function callNative(name, { parameter, result }, argument, resolve, reject) {
  observe("call", name);
  const data = parameter ? parametersOf(parameter, argument) : {};
  request(`onside.${name}`, data, ({ data: answered = {}, error, status }) => {
    if (status === "error") {
      const { code, message } = error ?? { code: "bridge.brokenRequest", message: "Malformed request" };
      // Of all errors of the host, only that of `initializeOnside` has a message.
      const own = code === "reason" ? message : {};
      reject(code.startsWith("bridge.") ? bridgeError(code.slice(7), message) : { [code]: own });
    } else {
      resolve(result === "*" ? answered : result ? answered[result] ?? null : undefined);
    }
  });
}

/**
 * @param {string} name
 * @param {NativeFunction} native
 * @returns {(argument?: unknown) => unknown} the function as the page sees it
 */
function nativeFunction(name, native) {
  if (native.synchronous && !isNewest) {
    const complain = (/** @type {unknown} */ error) => warn(`window.onside.${name}:`, error);
    return (argument) => {
      try {
        callNative(name, native, argument, () => {}, complain);
      } catch (error) {
        complain(error);
      }
    };
  }
  return (argument) => new NativePromise((resolve, reject) => callNative(name, native, argument, resolve, reject));
}

/**
 * @param {string} name
 * @param {(argument?: unknown) => unknown} value
 */
function defineNative(name, value) {
  defineProperty(value, "name", { value: name, configurable: true });
  defineProperty(onside, name, { value, enumerable: true });
}

function defineOnsideFunctions() {
  for (const name in onsideFunctions) {
    if (!hasOwn(onside, name)) defineNative(name, nativeFunction(name, onsideFunctions[name]));
  }
}

/**
 * @param {string} name
 * @param {unknown} argument
 * @returns {Promise<unknown>} what the page's callback returned; undefined if there is none or it failed
 */
async function callPage(name, argument) {
  /** @type {unknown} */
  let callback;
  /** @type {unknown} */
  let result;
  try {
    // The page may have defined it as an accessor that throws.
    callback = hasOwn(onside, name) && onside[name];
    if (typeof callback === "function") result = await apply(callback, onside, [argument]);
  } catch (error) {
    reportUncaught(error);
  }
  observe("callback", name, callback, result);
  return result;
}

/** Whether `initializeOnside` has succeeded, if the contract needs that. Before, calls in a callback would fail. */
let isInitialized = !isNewest;
/** How many calls of it are under way. */
let initializing = 0;
const whenInitialized = queue(() => isInitialized && !initializing);

hooks.isOpen = () => {
  for (const name in onsideCallbacks) if (hasOwn(onside, name)) return true;
  return false;
};

// Runs before `window.webkit`: installs `window.onside`, and lets the host call its callbacks.
installs.unshift(() => {
  if (isNewest && !isTopFrame) return;
  defineNative("initializeOnside", (version) => new NativePromise((resolve, reject) => {
    if (version !== "v1") throw bridgeError("invalidArguments", "Invalid arguments");
    initializing++;
    // Code that waits for the promise can first assign callbacks.
    const end = () => startTimer(() => {
      initializing--;
      whenPageListens();
      whenInitialized();
    });
    callNative("initializeOnside", { parameter: "version" }, version, () => {
      defineOnsideFunctions();
      isInitialized = true;
      resolve(undefined);
      end();
    }, (error) => {
      reject(error);
      end();
    });
  }));
  if (!isNewest) defineOnsideFunctions();
  defineProperty(window, "onside", { value: onside, enumerable: true });

  for (const name in onsideCallbacks) {
    const member = onsideCallbacks[name];
    listeners[`onside.${name}`] = (data, message) => whenPageListens(() => whenInitialized(async () => {
      const result = callPage(name, member === "*" ? data : member ? data[member] : {});
      if (member === "transactions") sheetHost.note?.(data);
      if (message.type === "request") answer(message, { result: (await result) !== false });
    }));
  }
});
