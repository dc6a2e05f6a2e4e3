// WebViewJavascriptBridge and its variants: a queue that native fetches when it sees a signal.
// Source: marcuswestin/WebViewJavascriptBridge, lision/WKWebViewJavascriptBridge, lzyzsd/JsBridge
// Plays: three variants: handlers both ways, their queue and their signals
// Not played: android: messages from before init are not stored

import {
  assign, create, dispatch, hasOwn, keys, listen, NativeError, NativePromise, NativeTypeError, parse, reportUncaught, startTimer,
  stringify, warn,
} from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { guarded, inTurn, later } from "../guarded.js";

/** What the variants call their parts; `id` ends the names of ids in messages. */
/** @type {Record<string, {object: string, callbacks: string, receive: string, id: string}>} */
const variants = {
  ios: { object: "WebViewJavascriptBridge", callbacks: "WVJBCallbacks", receive: "_handleMessageFromObjC", id: "Id" },
  lision: { object: "WKWebViewJavascriptBridge", callbacks: "WKWVJBCallbacks", receive: "_handleMessageFromiOS", id: "ID" },
  android: { object: "WebViewJavascriptBridge", callbacks: "WVJBCallbacks", receive: "_handleMessageFromNative", id: "Id" },
};

/** How many calls of native wait until the page has its bridge. */
const mostEarly = 1000;

presets.wvjb = (native) => {
  /** @type {any} */
  const page = window;
  const { variant = "ios" } = native.options;
  if (!hasOwn(variants, variant)) throw new NativeTypeError(`options.variant must be one of: ${keys(variants).join(", ")}`);
  const { object, callbacks, receive, id } = variants[variant];
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
    for (const { handlerName, data, [`callback${id}`]: callbackId, [`response${id}`]: responseId, responseData } of queue) {
      if (responseId) {
        waiting[responseId]?.(responseData);
        delete waiting[responseId];
      } else {
        native.send(`${handlerName ?? "message"}`, data).then((answer) => {
          if (!callbackId || answer === undefined) return;
          // On Android, an answer is a text.
          const responseData = variant === "android" && typeof answer !== "string" ? stringify(answer) : answer;
          deliver({ [`response${id}`]: callbackId, responseData });
        }).catch(reportUncaught);
      }
    }
  };
  const fetchQueue = () => {
    const text = native.call(`${object}._fetchQueue`);
    // On Android, the page puts it into an address.
    if (typeof text === "string") take(parse(text));
  };
  const load = () => {
    page[object] ??= makeQueueBridge(variant, signals[variant]());
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
    if (early.length >= mostEarly) throw new NativeError(`${mostEarly} calls of native wait until the page has ${object}`);
    const callbackId = `objc_cb_${++calls}`;
    waiting[callbackId] = resolve;
    deliver({ handlerName: path.join("."), data, [`callback${id}`]: callbackId });
  }));
  if (variant === "lision") {
    native.channel("iOS_Native_InjectJavascript", {}, () => later(load));
    native.channel("iOS_Native_FlushMessageQueue", {}, () => later(fetchQueue));
  } else if (variant === "android") {
    native.navigation(/^yy:\/\/__QUEUE_MESSAGE__\/?$/, fetchQueue);
    native.navigation(/^yy:\/\/return\/_fetchQueue\//, ({ url }) =>
      take(parse(decodeURIComponent(url.slice("yy://return/_fetchQueue/".length)))));
    listen(window, "load", () => later(() => {
      load();
      dispatch(document, assign(new Event("WebViewJavascriptBridgeReady"), { bridge: page[object] }));
    }));
  } else {
    native.navigation(/^(https|wvjbscheme):\/\/__bridge_loaded__\/?$/i, load);
    native.navigation(/^(https|wvjbscheme):\/\/__wvjb_queue_message__\/?$/i, fetchQueue);
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
 * @param {string} variant
 * @param {() => void} signal
 */
function makeQueueBridge(variant, signal) {
  const { object, receive, id } = variants[variant];
  /** @type {object[]} */
  let queue = [];
  let calls = 0;
  /** @type {Record<string, Function>} */
  const handlers = create(null);
  /** Takes messages without the name of a handler, on Android. */
  /** @type {Function | undefined} */
  let nameless;
  /** @type {Record<string, Function>} */
  const callbacks = create(null);
  /** Whether a message of native has no task of its own. */
  let isImmediate = variant === "lision";
  const send = (/** @type {object} */ message) => {
    queue.push(message);
    signal();
  };
  /** @type {(handlerName: string | undefined, data: any, callback?: Function) => void} */
  const call = (handlerName, data, callback) => {
    const callbackId = callback && `cb_${++calls}`;
    if (callbackId) callbacks[callbackId] = callback;
    send({ handlerName, data, [`callback${id}`]: callbackId });
  };
  const act = (/** @type {any} */ message) => {
    const { handlerName, data, [`callback${id}`]: callbackId, [`response${id}`]: responseId, responseData } = message;
    if (responseId) {
      callbacks[responseId]?.(responseData);
      delete callbacks[responseId];
      return;
    }
    const handler = handlerName ? handlers[handlerName] : nameless;
    if (!handler) return warn(`${object}: there is no handler for the message`, message);
    const respond = callbackId && ((/** @type {unknown} */ responseData) =>
      send({ handlerName, [`response${id}`]: callbackId, responseData }));
    if (variant === "lision") return handler(data, respond);
    try {
      handler(data, respond);
    } catch (error) {
      warn(`${object}: the handler of the message has thrown:`, message, error);
    }
  };
  return {
    ...variant === "android" && {
      init(/** @type {Function} */ handler) {
        if (nameless) throw new NativeError(`${object}.init was called twice`);
        nameless = handler;
      },
      send: (/** @type {any} */ data, /** @type {Function} */ callback) => call(undefined, data, callback),
    },
    ...variant === "ios" && { disableJavscriptAlertBoxSafetyTimeout() { isImmediate = true; } },
    registerHandler(/** @type {string} */ name, /** @type {Function} */ handler) { handlers[name] = handler; },
    callHandler(/** @type {string} */ handlerName, /** @type {any} */ data, /** @type {Function} */ callback) {
      if (typeof data === "function") [data, callback] = [null, data];
      call(handlerName, data, callback);
    },
    _fetchQueue() {
      const text = stringify(queue);
      queue = [];
      return text;
    },
    [receive](/** @type {string} */ text) {
      const run = () => act(parse(text));
      if (isImmediate) run();
      else startTimer(run);
    },
  };
}
