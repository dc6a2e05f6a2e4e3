// WebViewJavascriptBridge: a queue that native fetches when a frame navigates to a certain address.

presets.wvjb = (native) => {
  /** @type {any} */
  const page = window;
  /** @type {Record<string, (value: unknown) => void>} */
  const waiting = create(null);
  let calls = 0;
  const deliver = (/** @type {object} */ message) => native.call("WebViewJavascriptBridge._handleMessageFromObjC", stringify(message));
  const fetchQueue = () => {
    for (const { handlerName, data, callbackId, responseId, responseData } of parse(native.call("WebViewJavascriptBridge._fetchQueue"))) {
      if (responseId) {
        waiting[responseId]?.(responseData);
        delete waiting[responseId];
      } else {
        native.send(`${handlerName}`, data).then(
          (answer) => callbackId && answer !== undefined && deliver({ responseId: callbackId, responseData: answer }), reportUncaught);
      }
    }
  };
  native.navigation(/^https:\/\/__bridge_loaded__\/?$/, () => {
    if (!page.WebViewJavascriptBridge) page.WebViewJavascriptBridge = makeQueueBridge();
    const callbacks = page.WVJBCallbacks ?? [];
    delete page.WVJBCallbacks;
    for (const callback of callbacks) callback(page.WebViewJavascriptBridge);
  });
  native.navigation(/^https:\/\/__wvjb_queue_message__\/?$/, fetchQueue);
  native.onCall((path, [data]) => new NativePromise((resolve) => {
    const callbackId = `objc_cb_${++calls}`;
    waiting[callbackId] = resolve;
    deliver({ handlerName: path.join("."), data, callbackId });
  }));
};

/** What native puts into the page when it says that it is ready. */
function makeQueueBridge() {
  /** @type {object[]} */
  let queue = [];
  let calls = 0;
  /** @type {Record<string, Function>} */
  const handlers = create(null);
  /** @type {Record<string, Function>} */
  const callbacks = create(null);
  const signal = document.createElement("iframe");
  signal.style.display = "none";
  const send = (/** @type {object} */ message) => {
    queue.push(message);
    if (!signal.isConnected) document.documentElement.append(signal);
    signal.src = "https://__wvjb_queue_message__";
  };
  return {
    registerHandler(/** @type {string} */ name, /** @type {Function} */ handler) { handlers[name] = handler; },
    callHandler(/** @type {string} */ handlerName, /** @type {any} */ data, /** @type {Function} */ callback) {
      if (typeof data === "function") [data, callback] = [undefined, data];
      const callbackId = callback && `cb_${++calls}`;
      if (callbackId) callbacks[callbackId] = callback;
      send({ handlerName, data, callbackId });
    },
    disableJavscriptAlertBoxSafetyTimeout() {},
    _fetchQueue() {
      const text = stringify(queue);
      queue = [];
      return text;
    },
    _handleMessageFromObjC(/** @type {string} */ text) {
      const { responseId, responseData, handlerName, data, callbackId } = parse(text);
      if (responseId) {
        callbacks[responseId]?.(responseData);
        delete callbacks[responseId];
      } else {
        handlers[handlerName]?.(data, (/** @type {unknown} */ responseData) => {
          if (callbackId) send({ handlerName, responseId: callbackId, responseData });
        });
      }
    },
  };
}
