// Grab's SuperApp SDK, as in the app for iOS: a message handler for each module, answered by the name of a callback.
// Source: grab/mobile-kit-bridge-sdk, src/wrap-global.ts and wrap-generic.ts (05c56c7), utils.ts and simplify-callback.ts (04a6f77); grab/superapp-sdk, src/core/BaseModule.ts (06b8d59) and the names in src/modules (4a2c15f)
// Plays: a handler for each module of options.modules; the callback with result, error and status_code, 204 where the result is null; values of streams by a call
// Not played: which methods a version of the app has; the SDK calls native only if userAgent is that of Grab's app
// Ran: @grabjs/superapp-sdk 2.0.0-beta.59, built from source

import { reportUncaught } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { callPath, reasons } from "../shim.js";

const known = [
  "Camera", "Checkout", "Container", "Device", "DeviceCapability", "File", "Identity", "Locale", "Location", "Loyalty", "Media", "Network",
  "Platform", "Profile", "Scope", "SplashScreen", "Storage", "SystemWebViewKit", "UserAttributes",
];

presets.grab = (native) => {
  const { modules = known.map((name) => `${name}Module`) } = native.options;
  for (const module of modules) {
    native.channel(module, {}, (message) => {
      const { callback, method } = message;
      // Native looks whether the callback is still there: a stream that nobody hears has ended.
      const answer = (/** @type {object} */ data) =>
        typeof /** @type {any} */ (window)[callback] === "function" && callPath([callback], [data]);
      native.send(`${module}.${method}`, message).then(
        (result) => result !== undefined && answer({ result, error: null, status_code: result === null ? 204 : 200 }),
        (/** @type {Error} */ error) => {
          const { status_code = 500 } = Object(reasons.get(error));
          answer({ result: null, error: error.message, status_code });
        }).catch(reportUncaught);
    });
  }
};
