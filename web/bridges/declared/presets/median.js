// Median (GoNative), as in the app for iOS: commands with an address, answered by the name of a callback.
// Source: gonativeio/median-javacript-bridge, src/utils.ts (02fcad4) and index.ts (13bffa4)
// Plays: the handler JSBridge; commands as a text or with data; a callback by its name or path; a failure as an object with an error
// Not played: the script median.js that the app injects (scripts), Android's JSBridge object, what each command does: deviceInfo is run.median_device_info
// Ran: median-js-bridge 2.6.0, built from source

import { reportUncaught } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { callPath, reasons } from "../shim.js";

presets.median = (native) => {
  native.channel("JSBridge", {}, (message) => {
    const address = `${typeof message === "string" ? message : message.medianCommand}`;
    const [, path, query] = /^\w+:\/\/([^?]*)\??(.*)$/s.exec(address) ?? [address, address, ""];
    const body = { ...Object.fromEntries(new URLSearchParams(query)), ...message.data };
    const name = path.split("/").filter(Boolean).join(".");
    const callback = body.callback ?? body.callbackFunction ?? body.statuscallback;
    const answer = (/** @type {unknown} */ value) => typeof callback === "string" && callPath(callback.split("."), [value]);
    native.send(name, body).then(
      (value) => value !== undefined && answer(value),
      (/** @type {Error} */ error) => {
        const reason = reasons.get(error);
        const { message = error.message, ...members } = typeof reason === "object" ? reason : {};
        answer({ error: message, ...members });
      }).catch(reportUncaught);
  });
};
