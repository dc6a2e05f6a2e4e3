// Flutter: the channel objects of webview_flutter, and the handlers of flutter_inappwebview.
// Source: pichillilorenzo/flutter_inappwebview, JavaScriptBridgeJS.swift; flutter/packages, webkit_webview_controller.dart
// Plays: channels; handlers with a promise; the ready event after load
// Not played: the error of a handler is its text alone

import { dispatch, listen, parse, reportUncaught, stringify } from "../../../shim/builtins.js";
import { isTopFrame } from "../../../shim/configuration.js";
import { presets } from "../adapters.js";
import { later } from "../guarded.js";

presets.flutter = (native) => {
  const { channels = [] } = native.options;
  for (const name of channels) {
    native.object(name, {
      postMessage: (/** @type {unknown} */ text) => void native.send(name, `${text}`).catch(reportUncaught),
    });
  }
  native.object("flutter_inappwebview", {
    // The arguments cross as JSON text. What has none throws here, as in the vendor's script. Native answers with JSON text, too.
    callHandler: (/** @type {string} */ name, /** @type {any[]} */ ...list) =>
      native.send(`${name}`, parse(stringify(list))).then((value) => value ?? null),
  });
  // Native says so when the page has loaded.
  if (isTopFrame) listen(window, "load", () => later(() => dispatch(window, new Event("flutterInAppWebViewPlatformReady"))));
};
