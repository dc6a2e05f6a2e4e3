// React Native WebView: texts both ways. A reply goes to the page as a message event on `window`.
// Source: react-native-webview/react-native-webview, apple/RNCWebViewImpl.m
// Plays: postMessage of texts; history messages; injectedObjectJson; windows in place
// Not played: scripts that the app injects (scripts); a script can open a window without a tap

import { apply, dispatch, listen, reportUncaught, startTimer, stringify } from "../../../shim/builtins.js";
import { listenAlways } from "../../../shim/relisten.js";
import { presets } from "../adapters.js";
import { callPath, ordinary, readText } from "../shim.js";

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
  listenAlways(() => listen(window, "popstate", tellPop));
  native.onCall((path, list) => path.length === 1 && path[0] === "postMessage" ? say(list[0]) : callPath(path, list));
};
