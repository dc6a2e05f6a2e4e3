// Tauri 2: commands with a promise, and events both ways.
// Source: tauri-apps/tauri 2.0.6 (a8105ec), crates/tauri/scripts/core.js, ipc-protocol.js and process-ipc-message-fn.js, crates/tauri/src/ipc/protocol.rs, packages/api/src/event.ts (2ece5d7); runCallback from a later version
// Plays: __TAURI_INTERNALS__ with invoke by fetch of ipc://localhost, and by window.ipc where that fails; payloads of bytes; callbacks, convertFileSrc and metadata; listen, once, unlisten and emit; errors of any type; channels by a call with the channel for its name
// Not played: permissions of commands, raw answers (ArrayBuffer), the page's policy for ipc:, the isolation pattern, windows and menus
// Ran: @tauri-apps/api 2.0.3 and bundle.global.js 2.0.6

import { apply, create, defineProperty, hasOwn, isArray, keys, NativeMap, NativePromise, parse, reportUncaught, stringify, warn } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { guarded, inTurn } from "../guarded.js";
import { answeredSchemes } from "../schemes.js";
import { callPath, reasons } from "../shim.js";

const rawType = "application/octet-stream";

/** How a payload crosses: bytes, or JSON with maps, bytes and what says how it crosses, such as a channel. */
const crossing = (/** @type {any} */ payload) => payload instanceof ArrayBuffer || ArrayBuffer.isView(payload) || isArray(payload)
  ? { type: rawType, data: isArray(payload) ? new Uint8Array(payload) : payload }
  : { type: "application/json", data: stringify(payload, (_, value) => {
    if (value instanceof Map) return Object.fromEntries(value);
    if (value instanceof Uint8Array) return [...value];
    if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
    if (typeof value === "object" && value && "__TAURI_TO_IPC_KEY__" in value) return value.__TAURI_TO_IPC_KEY__();
    return value;
  }) };

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
    invoke: (/** @type {string} */ cmd, /** @type {any} */ payload = {}, /** @type {any} */ options) => new NativePromise((resolve, reject) => {
      /** @type {number[]} */
      const ids = [resolve, reject].map((settle, index) => internals.transformCallback((/** @type {unknown} */ value) => {
        settle(value);
        callbacks.delete(ids[1 - index]);
      }, true));
      post({ cmd, callback: ids[0], error: ids[1], payload, options });
    }),
    metadata: { currentWindow: { label }, currentWebview: { windowLabel: label, label } },
  };
  /** Shows that a call comes from the app's own script. */
  const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
  let fetchHasFailed = false;
  /** Sends a command as the app's script does: by a request, or by a message once a request has failed. */
  const post = (/** @type {any} */ message) => {
    const { cmd, callback, error, payload, options } = message;
    if (fetchHasFailed) {
      const { data } = crossing({ ...message, options: { ...options, customProtocolIpcBlocked: true }, __TAURI_INVOKE_KEY__: key });
      return /** @type {any} */ (window).ipc.postMessage(data);
    }
    const { type, data } = crossing(payload);
    const headers = { "Content-Type": type, "Tauri-Callback": `${callback}`, "Tauri-Error": `${error}`, "Tauri-Invoke-Key": key, ...options?.headers };
    window.fetch(internals.convertFileSrc(cmd, "ipc"), { method: "POST", body: data, headers }).then(async (response) => {
      const id = response.headers.get("Tauri-Response") === "ok" ? callback : error;
      const kind = response.headers.get("content-type");
      runCallback(id, await (kind === "application/json" ? response.json() : kind === "text/plain" ? response.text() : response.arrayBuffer()));
    }).catch((reason) => {
      warn("IPC custom protocol failed, Tauri will now use the postMessage interface instead", reason);
      fetchHasFailed = true;
      post(message);
    });
  };
  /**
   * What native does for a command.
   * @param {string} command
   * @param {any} body
   * @returns {Promise<{state: "ok" | "error", value: any}>}
   */
  const run = async (command, body) => {
    if (hasOwn(own, command)) {
      // Native hears what the page emits.
      if (command.includes("|emit")) native.send(command, body).catch(reportUncaught);
      return { state: "ok", value: own[command](body) };
    }
    try {
      return { state: "ok", value: await native.send(command, body) };
    } catch (/** @type {any} */ error) {
      return { state: "error", value: reasons.get(error) ?? error.message };
    }
  };
  const refuse = (/** @type {string} */ text, status = 500) => new Response(text, { status, headers: { "content-type": "text/plain" } });
  /** @param {Request} request */
  const respond = async (request) => {
    const { method, headers, url } = request;
    if (method !== "POST") return refuse("only POST and OPTIONS are allowed", 405);
    for (const name of ["Tauri-Invoke-Key", "Tauri-Callback", "Tauri-Error"]) {
      if (!headers.has(name)) return refuse(`missing ${name} header`);
    }
    const type = headers.get("content-type") ?? rawType;
    const body = type === rawType ? [...new Uint8Array(await request.arrayBuffer())] : parse(await request.text() || "{}");
    // Native answers nobody who does not know the key.
    if (headers.get("Tauri-Invoke-Key") !== key) return new NativePromise(() => {});
    const { state, value } = await run(decodeURIComponent(new URL(url).pathname.slice(1)), body);
    return new Response(stringify(value ?? null), { headers: { "content-type": "application/json", "tauri-response": state } });
  };
  answeredSchemes.ipc = true;
  const { fetch: load } = window;
  window.fetch = {
    /** @param {any[]} list */
    fetch(...list) {
      const [input] = list;
      const isOurs = /^ipc:\/\/localhost\//i.test(input instanceof Request ? input.url : `${input}`);
      return isOurs ? respond(new Request(.../** @type {[any]} */ (list))) : apply(load, window, list);
    },
  }.fetch;
  native.object("ipc", {
    postMessage(/** @type {string} */ text) {
      const { cmd, callback, error, payload, __TAURI_INVOKE_KEY__ } = parse(text);
      if (__TAURI_INVOKE_KEY__ !== key) return;
      run(cmd, payload).then(({ state, value }) => inTurn(() => runCallback(state === "ok" ? callback : error, value ?? null)));
    },
  });
  native.object("__TAURI_INTERNALS__", internals);
  native.object("__TAURI_EVENT_PLUGIN_INTERNALS__", {
    unregisterListener: (/** @type {string} */ event, /** @type {number} */ id) => void delete listeners[event]?.[id],
  });
  defineProperty(window, "isTauri", { value: true, configurable: true });
  /** How many messages each channel has had. */
  /** @type {Record<string, number>} */
  const counts = create(null);
  native.onCall((path, list) => {
    if (path[0] === "__TAURI_INTERNALS__") return callPath(path, list);
    const name = path.join(".");
    const channel = /^__CHANNEL__:(\d+)$/.exec(name)?.[1];
    if (!channel) return tell(name, list[0]);
    const id = counts[channel] ??= 0;
    counts[channel] += 1;
    // Later versions of the script call it the index.
    return inTurn(() => guarded(() => runCallback(+channel, { message: list[0], id, index: id })));
  });
};
