// pywebview: functions of Python with a promise.
// Source: r0x0r/pywebview, webview/js/api.js (7477797) and finish.js (83d972c)
// Plays: window.pywebview.api with the functions of options.api, after load; arguments as JSON; errors with name, message and stack; the event pywebviewready; the handler jsBridge below pywebview's own script, where the app injects it (scripts)
// Not played: pywebview.state without its own script, the DOM of Python, drag and drop, the wires of Qt, Windows and Android
// Ran: webview/js 6.2.1

import { dispatch, listen, NativeCustomEvent, parse, reportUncaught, stringify } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { later } from "../guarded.js";
import { callPath, reasons } from "../shim.js";

/** What Python tells of an exception. */
const exceptionOf = (/** @type {Error} */ error) => {
  const { name = "Exception", stack = "" } = Object(reasons.get(error));
  return { name, message: error.message, stack };
};

presets.pywebview = (native) => {
  const { api: names = [], platform = "cocoa" } = native.options;
  /** @type {any} */
  const api = {};
  for (const name of names) {
    const path = `${name}`.split(".");
    const method = path[path.length - 1];
    let owner = api;
    for (const part of path.slice(0, -1)) owner = owner[part] ??= {};
    owner[method] = (/** @type {unknown[]} */ ...list) => native.send(name, parse(stringify(list))).then(
      (value) => value ?? null,
      (/** @type {Error} */ error) => {
        const { message, ...members } = exceptionOf(error);
        throw Object.assign(new Error(message), members);
      });
  }
  native.channel("jsBridge", {}, (text) => {
    const { funcName, params, id } = parse(text);
    const answer = (/** @type {unknown} */ value, isError = false) =>
      callPath(["pywebview", "_returnValuesCallbacks", funcName, id], [{ value: stringify(value), isError }]);
    native.send(funcName, params).then(
      (value) => value !== undefined && answer(value),
      (/** @type {Error} */ error) => answer(exceptionOf(error), true)).catch(reportUncaught);
  });
  listen(window, "load", () => later(() => {
    // pywebview's own script says by itself when it is ready.
    if ("pywebview" in window) return;
    native.object("pywebview", { token: "", platform, api });
    dispatch(window, new NativeCustomEvent("pywebviewready"));
  }));
};
