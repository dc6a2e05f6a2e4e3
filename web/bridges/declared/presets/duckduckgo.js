// DuckDuckGo's messaging: requests that resolve with JSON text, notifications, and subscriptions.
// Source: duckduckgo/content-scope-scripts, messaging/lib/webkit.js; BrowserServicesKit, UserScriptMessaging.swift
// Plays: requests, notifications and subscriptions
// Not played: origins are not checked; the texts of errors are Footbridge's

import { defineProperty, NativeError, stringify } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { callPath } from "../shim.js";

const { getOwnPropertyDescriptor } = Object;

presets.duckduckgo = (native) => {
  const { context = "specialPages" } = native.options;
  native.channel(context, { reply: true }, (message) => {
    const { featureName, method, id } = message ?? {};
    for (const part of [message?.context, featureName, method]) {
      if (typeof part !== "string") throw new NativeError("A message needs context, featureName and method.");
    }
    const answer = (/** @type {object} */ result) => stringify({ context, featureName, id, ...result });
    const sent = native.send(`${featureName}.${method}`, { params: {}, ...message });
    // A notification has an empty answer, at once.
    if (typeof id !== "string") {
      sent.catch(() => {});
      return "{}";
    }
    return sent.then(
      (result) => answer(result === undefined ? { error: { message: "There is no result." } } : { result }),
      (/** @type {Error} */ { message }) => answer({ error: { message } }));
  });
  const messageHandlers = {};
  defineProperty(navigator, "duckduckgo", { value: { messageHandlers }, configurable: true });
  // Older versions of the vendor's script define subscriptions in the window, as what no script can change.
  const isSubscription = (/** @type {string} */ name) =>
    name in messageHandlers || getOwnPropertyDescriptor(window, name)?.writable === false;
  native.onCall((path, list) => {
    const [subscriptionName] = path;
    if (path.length !== 1 || !isSubscription(subscriptionName)) return callPath(path, list);
    const [featureName, params = {}] = list;
    const event = { context, featureName, subscriptionName, params };
    return callPath([...subscriptionName in messageHandlers ? ["navigator", "duckduckgo", "messageHandlers"] : [], subscriptionName], [event]);
  });
};
