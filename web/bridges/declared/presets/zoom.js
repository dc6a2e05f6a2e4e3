// Zoom Apps, as in Zoom's client for macOS: one message handler with JSON text, and answers to zoomSdk.native2js.
// Source: zoom/appssdk 0.16.32, dist/sdk.es.js (e45152e)
// Plays: the calls of the SDK by their names, config among them; results and errors with their codes; events of the client
// Not played: the clients for Windows and Android, and the page in a frame of the web client; that the client calls zoomSdk.native2js is inferred from the SDK; config needs an answer with a clientVersion
// Ran: @zoom/appssdk 0.16.32

import { reportUncaught } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { callPath, ordinary, readText, reasons } from "../shim.js";

presets.zoom = (native) => {
  const tell = (/** @type {object} */ data) => native.call("zoomSdk.native2js", { data });
  native.channel("jsOCHelper", {}, (text) => {
    const { jsCallId, apiName, data } = ordinary(readText(text)) ?? {};
    if (typeof apiName !== "string") return;
    const answer = (/** @type {object} */ result) => tell({ type: "apiResponse", data: { jsCallId, ...result } });
    native.send(apiName, data ?? null).then(
      (result) => result !== undefined && answer({ result }),
      (/** @type {Error} */ error) => {
        const reason = reasons.get(error);
        const { message = error.message, code = "10000" } = typeof reason === "object" ? reason : {};
        answer({ errorCode: `${code}`, errorMessage: message });
      }).catch(reportUncaught);
  });
  native.onCall((path, list) => {
    // An event, unless the page has a function of this name.
    if (path.length > 1 || typeof (/** @type {any} */ (window)[path[0]]) === "function") return callPath(path, list);
    return tell({ type: "event", name: path[0], data: list[0] ?? {} });
  });
};
