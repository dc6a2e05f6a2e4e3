// Wails 2, as on macOS and Linux: texts that begin with letters, calls of Go with JSON, and events.
// Source: wailsapp/wails, v2/internal/frontend: runtime/desktop/calls.js (0cdec6b), events.js (0ac7374), ipc.js (1f21dfb), bindings.js (0b71d64), dispatcher/calls.go (3fc399a)
// Plays: the handler external; calls answered by wails.Callback; EventsEmit, EventsOff and events of native; window.wailsbindings from options.bindings
// Not played: the scripts ipc.js and runtime.js, which the app serves (scripts); windows, dialogs, logs and dragging are messages
// Ran: ipc.js and runtime_prod_desktop.js (f38ae26)

import { parse, reportUncaught, stringify } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { callPath, reasons } from "../shim.js";

/** The messages that are texts, by their beginnings. */
/** @type {Record<string, string>} */
const kinds = { L: "log", W: "window", B: "browser", Q: "quit", S: "show", H: "hide", D: "drag" };

presets.wails = (native) => {
  const { bindings } = native.options;
  if (bindings) {
    // A list of methods is an object of them.
    const written = stringify(bindings, (_, value) => Array.isArray(value) ? Object.fromEntries(value.map((name) => [name, {}])) : value);
    native.object("wailsbindings", written);
  }
  native.channel("external", {}, (message) => {
    const text = `${message}`;
    const post = (/** @type {string} */ name, /** @type {unknown} */ body) => void native.send(name, body).catch(reportUncaught);
    if (text.startsWith("EE")) return post("emit", parse(text.slice(2)));
    if (text.startsWith("EX")) return post("off", text.slice(2));
    if (!/^[Cc]\{/.test(text)) return post(/^[a-z]/.test(text) ? text.split(":")[0] : kinds[text[0]] ?? "text", text);
    const call = parse(text.slice(1));
    const answer = (/** @type {object} */ result) =>
      native.call("wails.Callback", stringify({ result: null, error: null, ...result, callbackid: call.callbackID }));
    native.send(`${call.name ?? call.id}`, call).then(
      (result) => result !== undefined && answer({ result }),
      (/** @type {Error} */ error) => answer({ error: reasons.get(error) ?? error.message })).catch(reportUncaught);
  });
  native.onCall((path, list) => {
    const page = /** @type {any} */ (window);
    // An event, unless the page has a function of this name.
    return path.length > 1 && page[path[0]] || typeof page[path[0]] === "function" ? callPath(path, list)
      : native.call("wails.EventsNotify", stringify({ name: path.join("."), data: list }));
  });
};
