// Capacitor: calls of plugins, their listeners, Cordova plugins, and synchronous calls by prompt.
// Source: ionic-team/capacitor, core/native-bridge.ts, ios/Capacitor/Capacitor/JSExport.swift and CapacitorBridge.swift, ios/CapacitorCordova CDVCommandDelegateImpl.m
// Plays: plugins and their headers; fromNative with save; errors with errorMessage; Cordova plugins; synchronous calls by prompt
// Not played: permissions and removeAllListeners without an answer; WEBVIEW_SERVER_URL is the site's origin

import { create, hasOwn, isArray, keys, parse, reportUncaught, stringify } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { inTurn, later } from "../guarded.js";
import { callPath, reasons } from "../shim.js";

/** The methods that every plugin has from native. */
/** @type {{name: string, rtype?: string}[]} */
const inherited = [
  { name: "addListener" }, { name: "removeListener" }, { name: "removeAllListeners", rtype: "promise" },
  { name: "checkPermissions", rtype: "promise" }, { name: "requestPermissions", rtype: "promise" },
];

presets.capacitor = (native) => {
  const { debug = true } = native.options;
  // Answers and the handler provide what the options do not.
  const plugins = native.options.plugins ?? native.now("PluginHeaders", null) ?? {};
  /** @type {{name: string, methods: {name: string, rtype?: string}[]}[]} */
  const headers = isArray(plugins) ? plugins : keys(plugins).map((name) => {
    const own = isArray(plugins[name])
      ? plugins[name].map((/** @type {any} */ method) => typeof method === "string" ? { name: method, rtype: "promise" } : method)
      : keys(plugins[name]).map((method) => ({ name: method, rtype: plugins[name][method] ?? undefined }));
    return { name, methods: [...inherited.filter(({ name }) => !own.some((/** @type {any} */ method) => method.name === name)), ...own] };
  });
  const page = /** @type {any} */ (window);
  /** @type {any} */
  const capacitor = { DEBUG: debug, isLoggingEnabled: debug, Plugins: {}, PluginHeaders: headers };
  for (const { name, methods } of headers) {
    // The vendor's script has the functions that these call by the time they are called.
    const plugin = capacitor.Plugins[name] = /** @type {any} */ ({
      addListener: (/** @type {any} */ event, /** @type {any} */ listener) => page.Capacitor.addListener(name, event, listener),
      removeAllListeners: () => page.Capacitor.nativePromise(name, "removeAllListeners"),
    });
    for (const method of methods) {
      if (inherited.includes(method) || hasOwn(plugin, method.name)) continue;
      plugin[method.name] = (/** @type {any} */ options, /** @type {any} */ callback) => method.rtype === "promise"
        ? page.Capacitor.nativePromise(name, method.name, options)
        : page.Capacitor.nativeCallback(name, method.name, options, method.rtype === "callback" ? callback : undefined);
    }
  }
  native.object("Capacitor", capacitor);
  native.object("WEBVIEW_SERVER_URL", location.origin);

  /** The listeners of plugins, by plugin and event: the ids of their callbacks. */
  /** @type {Record<string, string[]>} */
  const listeners = create(null);
  const staysOpen = (/** @type {string} */ plugin, /** @type {string} */ method) => method === "addListener"
    || headers.some(({ name, methods }) => name === plugin && methods.some(({ name, rtype }) => name === method && rtype === "callback"));
  /** @param {any} message */
  const noteListener = ({ callbackId, pluginId, methodName, options }) => {
    const event = `${pluginId},${options?.eventName}`;
    if (methodName === "addListener") (listeners[event] ??= []).push(callbackId);
    if (methodName === "removeListener") listeners[event] = (listeners[event] ?? []).filter((id) => id !== options.callbackId);
    if (methodName === "removeAllListeners") {
      for (const each in listeners) if (each.startsWith(`${pluginId},`)) delete listeners[each];
    }
  };

  /** @type {(reason: any) => object} */
  const errorOf = (reason) => typeof reason === "object"
    ? { errorMessage: reason.message, ...reason } : { message: `${reason}`, errorMessage: `${reason}` };

  native.channel("bridge", {}, (message) => {
    if (message.type === "js.error") return void native.send("js.error", message).catch(reportUncaught);
    const { type, callbackId, pluginId = message.service, methodName = message.action } = message;
    noteListener(message);
    /** @type {(success: boolean, value: unknown) => void} */
    const answer = (success, value) => {
      if (callbackId === undefined || callbackId === "-1" || callbackId === "INVALID") return;
      const exec = type === "cordova" && page.cordova?.require?.("cordova/exec");
      if (exec) return void inTurn(() => exec.nativeCallback(callbackId, success ? 1 : 9, value, 0, 0));
      const result = success ? { save: staysOpen(pluginId, methodName), data: value } : { error: errorOf(value) };
      inTurn(() => native.call("Capacitor.fromNative", { callbackId, pluginId, methodName, success, ...result }));
    };
    native.send(`${pluginId}.${methodName}`, message).then(
      (data) => data !== undefined && answer(true, data),
      (/** @type {Error} */ error) => answer(false, reasons.get(error) ?? error.message)).catch(reportUncaught);
  });
  native.onCall((path, list) => {
    const [pluginId, eventName] = path;
    const ids = listeners[`${path}`];
    // Native tells each listener by itself. Nobody has to listen to what the app does.
    if (!ids && !/^App,(app|pau|res)|^PushN/.test(`${path}`)) return callPath(path, list);
    for (const callbackId of ids ?? []) {
      later(() => native.call("Capacitor.fromNative", {
        callbackId, pluginId, methodName: "addListener", eventName, save: true, success: true, data: list[0],
      }));
    }
  });

  const read = (/** @type {string} */ text) => {
    try {
      return parse(text);
    } catch {}
  };
  native.prompt((text) => typeof read(text)?.type === "string", (text) => {
    const message = read(text);
    const value = native.now(message.type, message);
    return value === undefined || typeof value === "string" ? value : stringify(value);
  });
};
