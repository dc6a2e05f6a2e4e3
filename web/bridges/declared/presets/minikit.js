// MiniKit of World App, as in the app for iOS: one message handler, and answers to MiniKit.trigger.
// Source: worldcoin/minikit-js, packages/core: helpers/send-webview-event.ts (888b0b2), commands/types.ts (ee9bbb9), core/events.ts (0145284), global.d.ts (0732c22)
// Plays: the handler minikit; window.WorldApp with the commands and their versions; the answer of each command as an event with a status
// Not played: world_app_version is a guess, above the least of walletAuth; proofs and signatures that can be verified, World App's microphone, Android's object; init, close-miniapp and the microphone's messages need no answer
// Ran: @worldcoin/minikit-js 2.0.3, built from source

import { reportUncaught } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { reasons } from "../shim.js";

const commands = [
  "attestation", "verify", "pay", "wallet-auth", "send-transaction", "sign-message", "sign-typed-data", "share-contacts", "request-permission",
  "get-permissions", "send-haptic-feedback", "share", "chat", "close-miniapp",
];

/** The events whose names are not those of their commands. */
/** @type {Record<string, string>} */
const events = { verify: "verify-action", pay: "payment" };

presets.minikit = (native) => {
  native.object("WorldApp", {
    world_app_version: 2_100_000, device_os: "ios", is_optional_analytics: false,
    supported_commands: commands.map((name) => ({ name, supported_versions: [1, 2] })),
    safe_area_insets: { top: 0, right: 0, bottom: 0, left: 0 },
    ...native.options.worldApp,
  });
  native.channel("minikit", {}, (message) => {
    const { command } = message;
    const tell = (/** @type {string} */ status, /** @type {any} */ payload) =>
      native.call("MiniKit.trigger", `miniapp-${events[command] ?? command}`, { status, ...payload });
    native.send(command, message).then(
      (payload) => payload !== undefined && tell("success", payload),
      (/** @type {Error} */ error) => {
        const reason = reasons.get(error);
        const { message = error.message, ...members } = typeof reason === "object" ? reason : {};
        tell("error", { error_code: message, ...members });
      }).catch(reportUncaught);
  });
};
