// Cordova: calls of plugins by one message handler, answered by callback id. The page has Cordova's own scripts.
// Source: apache/cordova-ios, cordova-js-src/exec.js, CordovaLib/Classes/Public/CDVCommandDelegateImpl.m and Private/Plugins/CDVHandleOpenURL
// Plays: nativeCallback with status, value and keepCallback; no answer for INVALID; handleOpenURL after deviceready
// Not played: what plugins do; an error in a callback is Cordova's to log

import { reportUncaught } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { callPath, reasons } from "../shim.js";

presets.cordova = (native) => {
  const findExec = () => /** @type {any} */ (window).cordova.require("cordova/exec");
  /** @param {() => unknown} run - what native evaluates: the page's exec runs it, where it can */
  const evaluate = (run) => {
    const exec = findExec();
    if (typeof exec.nativeEvalAndFetch !== "function") return run();
    /** @type {unknown} */
    let result;
    exec.nativeEvalAndFetch(() => result = run());
    return result;
  };
  native.channel("cordova", {}, ([callbackId, service, action, args]) => {
    const answer = (/** @type {number} */ status, /** @type {unknown} */ argument) => {
      if (callbackId !== "INVALID") evaluate(() => findExec().nativeCallback(callbackId, status, argument, 0, 0));
    };
    native.send(`${service}.${action}`, { callbackId, service, action, args }).then(
      (value) => value !== undefined && answer(1, value),
      (/** @type {Error} */ error) => answer(9, reasons.get(error) ?? error.message)).catch(reportUncaught);
  });
  /** @param {unknown[]} list - the link */
  const openURL = (list) => document.addEventListener("deviceready", () => {
    if (typeof (/** @type {any} */ (window).handleOpenURL) === "function") callPath(["handleOpenURL"], list);
  });
  native.onCall((path, list) => {
    if (path.join(".") === "handleOpenURL") return openURL(list);
    return path.join(".") === "nativeCallback" ? evaluate(() => findExec().nativeCallback(...list)) : callPath(path, list);
  });
};
