// Flutter: the channel objects of webview_flutter, and the handlers of flutter_inappwebview.

import { listen, reportUncaught } from "../../../shim/builtins.js";
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
    callHandler: (/** @type {string} */ name, /** @type {any[]} */ ...list) => native.send(`${name}`, list),
  });
  listen(document, "DOMContentLoaded", () => later(() => native.event("flutterInAppWebViewPlatformReady")));
};
