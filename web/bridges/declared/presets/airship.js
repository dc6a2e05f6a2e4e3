// Airship's JavaScript interface in messages and landing pages: UAirship with getters and actions, and uairship:// commands.
// Source: urbanairship/ios-library, Airship/AirshipCore/Source: NativeBridge.swift (b735fa2), JavaScriptEnvironment.swift, JavaScriptCommand.swift and NativeBridgeActionHandler.swift; Resources/UANativeBridge
// Plays: the getters of options.getters; runAction with its callback, close, dismiss; run-actions and run-basic-actions of links; the event ualibraryready after load
// Not played: what each action does; which pages may have the interface (pages); the interface of Android and of older SDKs

import { create, dispatch, keys, listen, parse, reportUncaught, stringify } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { inTurn, later } from "../guarded.js";

presets.airship = (native) => {
  const getters = { getDeviceModel: "iPhone", getNamedUser: null, getChannelId: null, getAppKey: "", ...native.options.getters };
  /** The callbacks of actions, by their keys. */
  /** @type {Record<string, (error: Error | null, result: unknown) => void>} */
  const callbacks = create(null);
  let count = 0;
  const post = (/** @type {string} */ name, /** @type {unknown} */ value) => native.send(name, value ?? null);
  const finish = (/** @type {Error | null} */ error, /** @type {unknown} */ result, /** @type {string} */ key) => {
    const callback = callbacks[key];
    delete callbacks[key];
    return callback?.(error, result);
  };
  const run = (/** @type {string} */ action, /** @type {unknown} */ value, /** @type {string} */ key) =>
    void post(action, value).then(
      (result) => result !== undefined && inTurn(() => finish(null, result, key)),
      (/** @type {Error} */ error) => inTurn(() => finish(new Error(error.message), null, key))).catch(reportUncaught);
  const read = (/** @type {string} */ text) => {
    try {
      return parse(text);
    } catch {
      return null;
    }
  };
  /** @type {Record<string, unknown>} */
  const environment = {};
  for (const name of keys(getters)) environment[name] = () => getters[name];
  const interfaceOfPages = {
    ...environment, isReady: true, finishAction: finish,
    runAction(/** @type {string} */ action, /** @type {unknown} */ value, /** @type {any} */ callback) {
      const key = `ua-cb-${++count}`;
      if (typeof callback === "function") callbacks[key] = callback;
      // An action's value crosses as JSON.
      run(action, value === undefined ? null : parse(stringify(value) ?? "null"), key);
    },
    close: () => void post("close", null).catch(reportUncaught),
    dismiss: (/** @type {unknown} */ resolution) => void post("dismiss", resolution).catch(reportUncaught),
  };
  native.navigation(/^uairship:/, ({ url }) => {
    const { host: command, pathname, searchParams } = new URL(url);
    const parts = pathname.split("/").filter(Boolean).map(decodeURIComponent);
    if (command === "run-action-cb" && parts.length === 3) return run(parts[0], read(parts[1]), parts[2]);
    if (command !== "run-actions" && command !== "run-basic-actions") return void post(command, parts).catch(reportUncaught);
    searchParams.forEach((text, action) => {
      const value = text === "" ? null : command === "run-actions" ? read(text) : text;
      post(action, value).catch(reportUncaught);
    });
  });
  listen(window, "load", () => later(() => {
    native.object("_UAirship", environment);
    native.object("UAirship", interfaceOfPages);
    dispatch(document, new Event("ualibraryready", { bubbles: true, cancelable: true }));
  }));
};
