// React Native WebView: texts both ways. A reply goes to the page as a message event on `window`.

import { apply, defineProperty, dispatch, listen, pathOf, reportUncaught, startTimer, stringify } from "../../../shim/builtins.js";
import { listenAlways } from "../../../shim/relisten.js";
import { presets } from "../adapters.js";
import { callPath, ordinary, readText } from "../shim.js";

/**
 * Whether a target is a new window. The app opens none: it loads the address in place.
 * @param {string} target
 */
const isNewWindow = (target) => !/^(_self|_top|_parent)?$/i.test(target)
  && /** @type {any} */ (window.frames)[target]?.parent !== window;

const takeLink = (/** @type {MouseEvent} */ event) => {
  const link = pathOf(event).find((/** @type {any} */ element) => element instanceof HTMLAnchorElement && element.href);
  if (event.defaultPrevented || !link || !isNewWindow(link.target)) return;
  event.preventDefault();
  location.href = link.href;
};

presets["react-native"] = (native) => {
  const { injectedObject } = native.options;
  const say = (/** @type {unknown} */ value) => dispatch(window, new MessageEvent("message", {
    data: typeof value === "string" ? value : stringify(value),
  }));
  native.channel("ReactNativeWebView", {}, (text) => {
    const message = ordinary(readText(text));
    native.send(native.name(message), message).then((value) => value !== undefined && say(value)).catch(reportUncaught);
  });
  native.channel("ReactNativeHistoryShim", {}, (kind) => void native.send("history", kind).catch(reportUncaught));
  const { ReactNativeWebView, ReactNativeHistoryShim } = /** @type {any} */ (window).webkit.messageHandlers;
  native.object("ReactNativeWebView", {
    postMessage: (/** @type {unknown} */ data) => void ReactNativeWebView.postMessage(String(data)),
    ...injectedObject !== undefined && { injectedObjectJson: () => stringify(injectedObject) },
  });
  const tell = (/** @type {string} */ kind) => void startTimer(() => ReactNativeHistoryShim.postMessage(kind));
  for (const kind of /** @type {const} */ (["pushState", "replaceState"])) {
    const usual = history[kind];
    history[kind] = function pushState() {
      tell("other");
      return apply(usual, history, arguments);
    };
  }
  const tellPop = () => tell("backforward");
  listenAlways(() => {
    listen(window, "popstate", tellPop);
    listen(window, "click", takeLink);
  });
  const { open } = window;
  defineProperty(window, "open", { configurable: true, enumerable: true, writable: true, value: { open(url = "", target = "") {
    if (!isNewWindow(`${target || "_blank"}`)) return apply(open, window, arguments);
    if (url !== "") location.href = url;
    return null;
  } }.open });
  native.onCall((path, list) => path.length === 1 && path[0] === "postMessage" ? say(list[0]) : callPath(path, list));
};
