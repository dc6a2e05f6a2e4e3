// Telegram Mini Apps: events both ways. A reply `{type, data}` is an event for the page, or for the frame that has asked.
// Source: TelegramMessenger/Telegram-iOS, submodules/WebUI/Sources/WebAppWebView.swift and WebAppController.swift
// Plays: events both ways, in the app and in frames
// Not played: buttons, popups and the viewport are answers

import { listen, mapForEach, mapSet, NativeMap, reportUncaught, stringify } from "../../../shim/builtins.js";
import { listenAlways } from "../../../shim/relisten.js";
import { presets } from "../adapters.js";
import { callPath, ordinary, readText } from "../shim.js";

presets.telegram = (native) => {
  const { frameOrigins = [location.origin] } = native.options;
  /** Frames whose pages speak to this document as to Telegram's web version, with their origins. */
  /** @type {Map<any, string>} */
  const frames = new NativeMap();
  /**
   * @param {string} type
   * @param {unknown} data
   * @param {(type: string, data: unknown) => void} receive
   */
  const post = (type, data, receive) => {
    native.send(type, data).then((answer) => answer?.type && receive(`${answer.type}`, answer.data)).catch(reportUncaught);
  };
  const page = /** @type {any} */ (window);
  const receiveHere = (/** @type {string} */ type, /** @type {unknown} */ data) =>
    native.call(`${page.TelegramGameProxy ? "TelegramGameProxy" : "Telegram.WebView"}.receiveEvent`, type, data ?? null);
  const receiveIn = (/** @type {any} */ frame, /** @type {string} */ origin) =>
    (/** @type {string} */ eventType, /** @type {unknown} */ eventData) =>
      frame.postMessage(stringify({ eventType, eventData: eventData ?? null }), origin);
  native.channel("performAction", {}, ({ eventName, eventData }) => {
    const data = typeof eventData === "string" ? ordinary(readText(eventData)) : null;
    // Native takes objects only. The vendor's script sends an empty text with an event that has no data.
    post(`${eventName}`, typeof data === "object" ? data : null, receiveHere);
  });
  const { performAction } = page.webkit.messageHandlers;
  native.object("TelegramWebviewProxy", {
    postEvent: (/** @type {unknown} */ eventName, /** @type {unknown} */ eventData) =>
      void performAction.postMessage({ eventName, eventData }),
  });
  const hearFrame = (/** @type {MessageEvent} */ { data, origin, source }) => {
    if (!source || source === window || !frameOrigins.includes(origin) || typeof data !== "string") return;
    const { eventType, eventData = null } = ordinary(readText(data)) ?? {};
    if (typeof eventType !== "string") return;
    mapSet(frames, source, origin);
    post(eventType, eventData, receiveIn(source, origin));
  };
  listenAlways(() => listen(window, "message", hearFrame));
  native.onCall((path, list) => {
    if (path.length !== 1) return callPath(path, list);
    mapForEach(frames, (/** @type {string} */ origin, /** @type {any} */ frame) => receiveIn(frame, origin)(path[0], list[0]));
    if (page.Telegram?.WebView || page.TelegramGameProxy) receiveHere(path[0], list[0]);
  });
};
