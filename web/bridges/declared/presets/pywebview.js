// pywebview: functions of Python with a promise.
// Source: r0x0r/pywebview, webview/js/api.js (7477797) and finish.js (83d972c)
// Plays: window.pywebview.api with the functions of options.api, after load; arguments as JSON; errors with name, message and stack; the event pywebviewready
// Not played: pywebview.state, the DOM of Python, drag and drop, the platforms' own wires below the functions

import { dispatch, listen, NativeCustomEvent, parse, stringify } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { later } from "../guarded.js";
import { reasons } from "../shim.js";

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
        const { name = "Exception", stack = "" } = Object(reasons.get(error));
        throw Object.assign(new Error(error.message), { name, stack });
      });
  }
  listen(window, "load", () => later(() => {
    native.object("pywebview", { token: "", platform, api });
    dispatch(window, new NativeCustomEvent("pywebviewready"));
  }));
};
