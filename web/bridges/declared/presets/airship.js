// Airship's JavaScript interface in messages and landing pages: UAirship with getters and actions, and uairship:// commands.
// Source: urbanairship/ios-library, Airship/AirshipCore/Source: NativeBridge.swift (b735fa2), JavaScriptEnvironment.swift, JavaScriptCommand.swift and NativeBridgeActionHandler.swift; Resources/UANativeBridge (0f12fcb)
// Plays: the getters of options.getters; runAction with its callback, editTags, close, dismiss; run-actions, run-basic-actions and multi of links; the event ualibraryready after load
// Not played: what each action does; which pages may have the interface (pages); the interface of Android and of older SDKs
// Ran: UANativeBridge (0f12fcb)

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
  // Native finishes the actions of whichever script has made the interface.
  const tell = (/** @type {any[]} */ ...list) =>
    void inTurn(() => /** @type {any} */ (window).UAirship?.finishAction?.(...list));
  const run = (/** @type {string} */ action, /** @type {unknown} */ value, /** @type {string} */ key) =>
    void post(action, value).then(
      (result) => result !== undefined && tell(null, result, key),
      (/** @type {Error} */ error) => tell(new Error(error.message), null, key)).catch(reportUncaught);
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
    editTags() {
      /** @type {[string, unknown][]} */
      let changes = [];
      const editor = {
        addTag: (/** @type {unknown} */ tag) => (tag && changes.push(["add_tags_action", tag]), editor),
        removeTag: (/** @type {unknown} */ tag) => (tag && changes.push(["remove_tags_action", tag]), editor),
        apply() {
          for (const [action, tag] of changes) post(action, `${tag}`).catch(reportUncaught);
          changes = [];
          return editor;
        },
      };
      return editor;
    },
    close: () => void post("close", null).catch(reportUncaught),
    dismiss: (/** @type {unknown} */ resolution) => void post("dismiss", resolution).catch(reportUncaught),
  };
  const obey = (/** @type {string} */ url) => {
    const { protocol, host: command, pathname, search, searchParams } = new URL(url);
    if (protocol !== "uairship:") return;
    if (command === "multi") return search.slice(1).split("&").map(decodeURIComponent).forEach(obey);
    const parts = pathname.split("/").filter(Boolean).map(decodeURIComponent);
    if (command === "run-action-cb" && parts.length === 3) return run(parts[0], read(parts[1]), parts[2]);
    if (command !== "run-actions" && command !== "run-basic-actions") return void post(command, parts).catch(reportUncaught);
    searchParams.forEach((text, action) => {
      const value = text === "" ? null : command === "run-actions" ? read(text) : text;
      post(action, value).catch(reportUncaught);
    });
  };
  native.navigation(/^uairship:/, ({ url }) => void obey(url));
  listen(window, "load", () => later(() => {
    native.object("_UAirship", environment);
    // The vendor's script leaves an interface alone that is there already.
    if ("UAirship" in window) return;
    native.object("UAirship", interfaceOfPages);
    dispatch(document, new Event("ualibraryready", { bubbles: true, cancelable: true }));
  }));
};
