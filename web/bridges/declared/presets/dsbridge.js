// DSBridge: calls by prompt, answered at once or by the name of a callback; and calls of the page's functions.
// Source: wendux/DSBridge-IOS, dsbridge/DWKWebView.m and InternalApis.m
// Plays: calls answered at once or by a callback; calls of the page's functions after _dsb.dsinit; progress
// Not played: native's dialogs; calls of callbacks are not collected for 50 ms

import {
  create, defineProperty, deleteProperty, mapDelete, mapGet, mapSet, NativeError, NativeMap, NativePromise, parse, reportUncaught,
  stringify, warn,
} from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { later } from "../guarded.js";
import { callPath } from "../shim.js";

presets.dsbridge = (native) => {
  const prefix = "_dsbridge=";
  let calls = 0;
  /** @type {Map<number, (value: unknown) => void>} */
  const waiting = new NativeMap();
  /** The callbacks of calls without an answer, by the calls' names. */
  /** @type {Record<string, string[]>} */
  const callbacks = create(null);
  /** Calls of native from before the page has the vendor's script, and how many of them may wait. */
  /** @type {{method: string}[]} */
  let early = [];
  const limit = 1000;
  const deliver = (/** @type {{method: string}} */ message) => {
    if (/** @type {any} */ (window)._handleMessageFromNative) return native.call("_handleMessageFromNative", message);
    warn(`${message.method}: this call of native waits until the page has called _dsb.dsinit.`);
    early.push(message);
  };
  const now = (/** @type {string} */ name, /** @type {any} */ data) => {
    if (name === "_dsb.dsinit") {
      const messages = early;
      early = [];
      for (const message of messages) later(() => deliver(message));
    }
    if (name === "_dsb.returnValue") {
      // A function of the page can answer several times; the last answer counts.
      if (data.complete !== false) {
        mapGet(waiting, data.id)?.(data.data);
        mapDelete(waiting, data.id);
      }
      return;
    }
    const value = native.now(name, data);
    // The page may ask for any method. The answers and the handler decide which ones exist.
    return value === undefined && name === "_dsb.hasNativeMethod" ? true : value;
  };
  native.object("_dswk", true);
  native.prompt((text) => text.startsWith(prefix), (text, value) => {
    const name = text.slice(prefix.length);
    const { data, _dscbstub: callback } = parse(value || "{}");
    if (callback === undefined) {
      try {
        return stringify({ code: 0, data: now(name, data) ?? "" });
      } catch (error) {
        warn(`${name}:`, error);
        return stringify({ code: -1 });
      }
    }
    callbacks[name] = [...callbacks[name] ?? [], callback].slice(-99);
    native.send(name, data).then((answer) => {
      if (answer === undefined) return;
      callbacks[name] = callbacks[name].filter((other) => other !== callback);
      callPath([callback], [answer]);
      deleteProperty(window, callback);
    }).catch(reportUncaught);
    return "{}";
  });
  native.onCall((path, list) => {
    const name = path.join(".");
    // Callbacks, and other functions of the page's own.
    if (typeof /** @type {any} */ (window)[name] === "function") return callPath(path, list);
    // As the method of native's completion handler: the callback of a call is called, and will be called again.
    if (name === "setProgressData") {
      const callback = callbacks[list[0]]?.slice(-1)[0];
      return callback && callPath([callback], [list[1]]);
    }
    return new NativePromise((resolve) => {
      const message = { method: name, callbackId: ++calls, data: stringify(list) };
      if (early.length >= limit) throw new NativeError(`${name}: ${limit} calls of native wait until the page has called _dsb.dsinit.`);
      mapSet(waiting, calls, resolve);
      // The native bridge writes the message as JSON into a script. The page may use it as a value or as text.
      defineProperty(message, "toString", { value: () => stringify(message) });
      deliver(message);
    });
  });
};
