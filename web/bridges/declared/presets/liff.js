// LINE's LIFF browser: window._liff with messages, and answers as events liffEvent of the window.
// Source: @line/liff 2.19.1, as published: @liff/native-bridge, @liff/init and @liff/close-window
// Plays: _liff.features from options.features; _liff.postMessage by its types, with the feature token and the parameters; answers and errors with their callbackId; events of the client; liff:// addresses
// Not played: LINE's servers: liff.init loads its client features from static.line-scdn.net, and asks api.line.me about the access token of launch: { hash: … }; sub windows; _liff._dispatchEvent of older SDKs. The id token comes with launch: { line: … }
// Ran: @line/liff 2.19.1, with a stand-in for LINE's servers

import { dispatch, NativeCustomEvent, parse, reportUncaught } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { inTurn } from "../guarded.js";
import { callPath, reasons } from "../shim.js";

presets.liff = (native) => {
  const tell = (/** @type {object} */ detail) =>
    void inTurn(() => dispatch(window, new NativeCustomEvent("liffEvent", { detail })));
  const postMessage = (/** @type {unknown} */ type, featureToken = "", callbackId = "", text = "{}") => {
    /** @type {any} */
    let params = null;
    try {
      params = parse(`${text || "{}"}`);
    } catch {}
    const answer = (/** @type {object} */ result) => tell({ type: `${type}`, ...callbackId && { callbackId }, ...result });
    native.send(`${type}`, { params, featureToken }).then(
      (data) => data !== undefined && answer({ data }),
      (/** @type {Error} */ error) => {
        const reason = reasons.get(error);
        answer({ error: typeof reason === "object" ? reason : { code: "UNKNOWN", message: error.message } });
      }).catch(reportUncaught);
  };
  // Since LINE 9.5, liff.init waits for what the client can do.
  native.object("_liff", { features: native.options.features ?? [], postMessage });
  native.navigation(/^liff:/, ({ url }) => {
    const { host, pathname, searchParams } = new URL(url);
    const name = [host, ...pathname.split("/")].filter(Boolean).join(".") || "liff";
    native.send(name, { params: Object.fromEntries(searchParams), featureToken: "" }).catch(reportUncaught);
  });
  native.onCall((path, list) => {
    // An event, unless the page has a function of this name.
    if (path.length > 1 || typeof (/** @type {any} */ (window)[path[0]]) === "function") return callPath(path, list);
    tell({ type: path[0], ...list[0] });
  });
};
