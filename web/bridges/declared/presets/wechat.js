// WeChat's web view: WeixinJSBridge with calls, their err_msg, and events; in mini programs, too.
// Source: jweixin 1.6.0 (CNJie1/qweasdzxc 46c5256), which calls WeixinJSBridge; the script that WeChat injects, as published in part
// Plays: invoke and call with callbacks, on, env, log; the event WeixinJSBridgeReady; err_msg of success, failure and cancelling; calls of mini programs by their names
// Not played: the queue below WeixinJSBridge, signatures of wx.config, open tags, what each call does; without userAgent, pages see no MicroMessenger
// Ran: jweixin 1.6.0

import { create, dispatch, listen, reportUncaught } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { inTurn, later } from "../guarded.js";
import { callPath, reasons } from "../shim.js";

presets.wechat = (native) => {
  const { miniProgram = false, env = {} } = native.options;
  /** @type {Record<string, (value: unknown) => void>} */
  const listeners = create(null);
  const invoke = (/** @type {unknown} */ func, /** @type {any} */ params, /** @type {unknown} */ callback) => {
    if (typeof func !== "string" || !func) return;
    // A mini program's calls have one name on the wire, and their own inside.
    const isOfProgram = func === "invokeMiniProgramAPI" && typeof params?.name === "string";
    const name = isOfProgram ? `miniProgram.${params.name}` : func;
    const body = isOfProgram ? params.arg ?? null : params && typeof params === "object" ? params : {};
    const answer = (/** @type {string} */ outcome, /** @type {any} */ result) => {
      if (typeof callback === "function") inTurn(() => callback({ err_msg: `${func}:${outcome}`, ...result }));
    };
    native.send(name, body).then(
      (result) => result !== undefined && answer("ok", typeof result === "object" ? result : { result }),
      (/** @type {Error} */ error) => {
        const reason = reasons.get(error);
        const { message = error.message, ...members } = typeof reason === "object" ? reason : {};
        answer(message === "cancel" ? "cancel" : `fail ${message}`, members);
      }).catch(reportUncaught);
  };
  if (miniProgram) native.object("__wxjs_environment", "miniprogram");
  native.object("WeixinJSBridge", {
    invoke, call: invoke,
    on: (/** @type {unknown} */ event, /** @type {any} */ take) => {
      if (typeof event === "string" && typeof take === "function") listeners[event] = take;
    },
    env: (/** @type {string} */ key) => env[key],
    log: (/** @type {unknown} */ text) => invoke("log", { msg: `${text}` }, undefined),
  });
  listen(document, "DOMContentLoaded", () => later(() => dispatch(document, new Event("WeixinJSBridgeReady"))));
  native.onCall((path, list) => {
    const name = path.join(".");
    const take = listeners[name];
    return take ? inTurn(() => take(list[0] ?? {})) : callPath(path, list);
  });
};
