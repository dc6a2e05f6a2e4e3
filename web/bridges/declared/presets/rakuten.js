// Rakuten's mini apps, as in an app for iOS: actions as JSON text, answered by their ids.
// Source: rakutentech/js-miniapp, js-miniapp-bridge/src/ios/ios-bridge.ts (949c7c9) and common-bridge.ts (4400d89)
// Plays: the handler MiniAppiOS; MiniAppBridge.execSuccessCallback and execErrorCallback with texts; events of native by a call
// Not played: the script of the bridge, which the app injects (scripts); what native does for an action; names and contacts are base64 text
// Ran: js-miniapp-sdk and js-miniapp-bridge 1.28.0-rc.1, built from source

import { reportUncaught, stringify } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { ordinary, readText, reasons } from "../shim.js";

presets.rakuten = (native) => {
  const textOfAnswer = (/** @type {unknown} */ value) => typeof value === "string" ? value : stringify(value);
  native.channel("MiniAppiOS", {}, (text) => {
    const { action, param, id } = ordinary(readText(text));
    native.send(action, param ?? null).then(
      (value) => value !== undefined && native.call("MiniAppBridge.execSuccessCallback", id, textOfAnswer(value)),
      (/** @type {Error} */ error) =>
        native.call("MiniAppBridge.execErrorCallback", id, textOfAnswer(reasons.get(error) ?? error.message))).catch(reportUncaught);
  });
};
