// WebViewJavascriptBridge and its variants: a queue that native fetches when it sees a signal.

import {
  assign, create, dispatch, hasOwn, keys, listen, NativePromise, NativeTypeError, parse, reportUncaught, stringify,
} from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { guarded, inTurn, later } from "../guarded.js";

presets.wvjb = (native) => {
  /** @type {any} */
  const page = window;
  const { variant = "ios" } = native.options;
  /** What the variants call their parts. */
  /** @type {Record<string, {object: string, callbacks: string, receive: string}>} */
  const names = {
    ios: { object: "WebViewJavascriptBridge", callbacks: "WVJBCallbacks", receive: "_handleMessageFromObjC" },
    lision: { object: "WKWebViewJavascriptBridge", callbacks: "WKWVJBCallbacks", receive: "_handleMessageFromiOS" },
    android: { object: "WebViewJavascriptBridge", callbacks: "WVJBCallbacks", receive: "_handleMessageFromNative" },
  };
  if (!hasOwn(names, variant)) throw new NativeTypeError(`options.variant must be one of: ${keys(names).join(", ")}`);
  const { object, callbacks, receive } = names[variant];
  /** @type {Record<string, (value: unknown) => void>} */
  const waiting = create(null);
  let calls = 0;
  /** Messages from before the page has its bridge. */
  /** @type {object[]} */
  let early = [];

  const deliver = (/** @type {object} */ message) => {
    if (page[object]) inTurn(() => native.call(`${object}.${receive}`, stringify(message)));
    else early.push(message);
  };
  /** @param {any[]} queue */
  const take = (queue) => {
    for (const { handlerName, data, callbackId, responseId, responseData } of queue) {
      if (responseId) {
        waiting[responseId]?.(responseData);
        delete waiting[responseId];
      } else {
        native.send(`${handlerName ?? "message"}`, data).then(
          (answer) => callbackId && answer !== undefined && deliver({ responseId: callbackId, responseData: answer })).catch(reportUncaught);
      }
    }
  };
  const fetchQueue = () => {
    const text = native.call(`${object}._fetchQueue`);
    // On Android, the page puts it into an address.
    if (typeof text === "string") take(parse(text));
  };
  const load = () => {
    page[object] ??= makeQueueBridge(receive, signals[variant](), variant === "android");
    const waitingPages = page[callbacks] ?? [];
    delete page[callbacks];
    for (const callback of waitingPages) guarded(() => callback(page[object]));
    const messages = early;
    early = [];
    for (const message of messages) later(() => native.call(`${object}.${receive}`, stringify(message)));
  };
  /** How a page says that it has queued something. */
  /** @type {Record<string, () => () => void>} */
  const signals = {
    ios: () => navigateFrame("https://__wvjb_queue_message__"),
    lision: () => () => void page.webkit.messageHandlers.iOS_Native_FlushMessageQueue.postMessage(null),
    android: () => navigateFrame("yy://__QUEUE_MESSAGE__/"),
  };

  native.onCall((path, [data]) => new NativePromise((resolve) => {
    const callbackId = `objc_cb_${++calls}`;
    waiting[callbackId] = resolve;
    deliver({ handlerName: path.join("."), data, callbackId });
  }));
  if (variant === "lision") {
    native.channel("iOS_Native_InjectJavascript", {}, () => later(load));
    native.channel("iOS_Native_FlushMessageQueue", {}, () => later(fetchQueue));
  } else if (variant === "android") {
    native.navigation(/^yy:\/\/__QUEUE_MESSAGE__\/?$/, fetchQueue);
    native.navigation(/^yy:\/\/return\/_fetchQueue\//, ({ url }) =>
      take(parse(decodeURIComponent(url.slice("yy://return/_fetchQueue/".length)))));
    listen(document, "DOMContentLoaded", () => later(() => {
      load();
      dispatch(document, assign(new Event("WebViewJavascriptBridgeReady"), { bridge: page[object] }));
    }));
  } else {
    native.navigation(/^https:\/\/__bridge_loaded__\/?$/, load);
    native.navigation(/^https:\/\/__wvjb_queue_message__\/?$/, fetchQueue);
  }
};

/**
 * Signals by navigations of a hidden frame.
 * @param {string} address
 */
function navigateFrame(address) {
  const frame = document.createElement("iframe");
  frame.style.display = "none";
  return () => {
    if (!frame.isConnected) document.documentElement.append(frame);
    frame.src = address;
  };
}

/**
 * Installs the native script in a page that has none.
 * @param {string} receive - the name of the function that takes native's messages
 * @param {() => void} signal
 * @param {boolean} hasNameless - whether there are messages without the name of a handler
 */
function makeQueueBridge(receive, signal, hasNameless) {
  /** @type {object[]} */
  let queue = [];
  let calls = 0;
  /** @type {Record<string, Function>} */
  const handlers = create(null);
  /** @type {Record<string, Function>} */
  const callbacks = create(null);
  const send = (/** @type {object} */ message) => {
    queue.push(message);
    signal();
  };
  /** @type {(handlerName: string | undefined, data: any, callback?: Function) => void} */
  const call = (handlerName, data, callback) => {
    const callbackId = callback && `cb_${++calls}`;
    if (callbackId) callbacks[callbackId] = callback;
    send({ handlerName, data, callbackId });
  };
  const nameless = {
    init(/** @type {Function} */ handler) { handlers.message = handler; },
    send: (/** @type {any} */ data, /** @type {Function} */ callback) => call(undefined, data, callback),
  };
  return {
    ...hasNameless && nameless,
    registerHandler(/** @type {string} */ name, /** @type {Function} */ handler) { handlers[name] = handler; },
    callHandler(/** @type {string} */ handlerName, /** @type {any} */ data, /** @type {Function} */ callback) {
      if (typeof data === "function") [data, callback] = [undefined, data];
      call(handlerName, data, callback);
    },
    disableJavscriptAlertBoxSafetyTimeout() {},
    _fetchQueue() {
      const text = stringify(queue);
      queue = [];
      return text;
    },
    [receive](/** @type {string} */ text) {
      const { responseId, responseData, handlerName, data, callbackId } = parse(text);
      if (responseId) {
        callbacks[responseId]?.(responseData);
        delete callbacks[responseId];
      } else {
        handlers[handlerName ?? "message"]?.(data, (/** @type {unknown} */ responseData) => {
          if (callbackId) send({ handlerName, responseId: callbackId, responseData });
        });
      }
    },
  };
}
