// Tauri 2: commands with a promise, and events both ways.
// Source: tauri-apps/tauri, crates/tauri/scripts/core.js (3a8ab24), process-ipc-message-fn.js (3215e71), packages/api/src/event.ts (2ece5d7); runCallback from a later version
// Plays: __TAURI_INTERNALS__ with invoke, callbacks, convertFileSrc and metadata; listen, once, unlisten and emit; errors of any type; channels by a call of runCallback
// Not played: permissions of commands, raw answers (ArrayBuffer), windows and menus

import { create, defineProperty, hasOwn, keys, NativeMap, NativePromise, parse, reportUncaught, stringify, warn } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { guarded, inTurn } from "../guarded.js";
import { callPath, reasons } from "../shim.js";

/** What the vendor's script makes of a payload: maps, bytes and what says how it crosses, such as a channel. */
const crossing = (/** @type {unknown} */ payload) => parse(stringify(payload ?? {}, (_, value) => {
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Uint8Array) return [...value];
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
  if (typeof value === "object" && value && "__TAURI_TO_IPC_KEY__" in value) return value.__TAURI_TO_IPC_KEY__();
  return value;
}));

presets.tauri = (native) => {
  const { label = "main" } = native.options;
  /** @type {Map<number, (value: unknown) => unknown>} */
  const callbacks = new NativeMap();
  /** The listeners of events: the ids of their callbacks, by the ids of the listeners. */
  /** @type {Record<string, Record<number, number>>} */
  const listeners = create(null);
  let lastListener = 0;
  const runCallback = (/** @type {number} */ id, /** @type {unknown} */ data) => {
    const callback = callbacks.get(id);
    if (callback) return callback(data);
    warn(`[TAURI] Couldn't find callback id ${id}.`);
  };
  const tell = (/** @type {string} */ event, /** @type {unknown} */ payload) => {
    for (const id of keys(listeners[event] ?? {})) {
      inTurn(() => guarded(() => runCallback(listeners[event][+id], { event, id: +id, payload })));
    }
  };
  /** @type {Record<string, (payload: any) => unknown>} */
  const own = {
    "plugin:event|listen"({ event, handler }) {
      (listeners[event] ??= create(null))[++lastListener] = handler;
      return lastListener;
    },
    "plugin:event|unlisten"({ event, eventId }) { delete listeners[event]?.[eventId]; },
    "plugin:event|emit"({ event, payload }) { tell(event, payload); },
    "plugin:event|emit_to"({ event, payload }) { tell(event, payload); },
  };
  const internals = {
    transformCallback(/** @type {Function} */ callback, once = false) {
      const id = crypto.getRandomValues(new Uint32Array(1))[0];
      callbacks.set(id, (data) => {
        if (once) callbacks.delete(id);
        return callback?.(data);
      });
      return id;
    },
    unregisterCallback: (/** @type {number} */ id) => void callbacks.delete(id),
    runCallback,
    callbacks,
    convertFileSrc: (/** @type {string} */ path, protocol = "asset") => `${protocol}://localhost/${encodeURIComponent(path)}`,
    invoke: (/** @type {string} */ command, /** @type {any} */ payload) => new NativePromise((resolve, reject) => {
      const body = crossing(payload);
      if (hasOwn(own, command)) {
        // Native hears what the page emits.
        if (command.includes("|emit")) native.send(command, body).catch(reportUncaught);
        return resolve(own[command](body) ?? null);
      }
      native.send(command, body).then(
        (value) => resolve(value ?? null), (/** @type {Error} */ error) => reject(reasons.get(error) ?? error.message));
    }),
    metadata: { currentWindow: { label }, currentWebview: { windowLabel: label, label } },
  };
  native.object("__TAURI_INTERNALS__", internals);
  native.object("__TAURI_EVENT_PLUGIN_INTERNALS__", {
    unregisterListener: (/** @type {string} */ event, /** @type {number} */ id) => void delete listeners[event]?.[id],
  });
  defineProperty(window, "isTauri", { value: true, configurable: true });
  native.onCall((path, list) => path[0] === "__TAURI_INTERNALS__" ? callPath(path, list) : tell(path.join("."), list[0]));
};
