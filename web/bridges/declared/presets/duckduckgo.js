// DuckDuckGo's messaging: requests that resolve with JSON text, notifications, and subscriptions.

import { defineProperty, stringify } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { callPath } from "../shim.js";

presets.duckduckgo = (native) => {
  const { context = "specialPages" } = native.options;
  native.channel(context, { reply: true }, ({ featureName, method, id, ...message }) => {
    const answer = (/** @type {object} */ result) => stringify({ context, featureName, id, ...result });
    const sent = native.send(`${featureName}.${method}`, { featureName, method, id, ...message });
    // A notification has no answer.
    if (id === undefined) return void sent.catch(() => {});
    return sent.then((result) => answer({ result }), (/** @type {Error} */ { message }) => answer({ error: { message } }));
  });
  const messageHandlers = {};
  defineProperty(navigator, "duckduckgo", { value: { messageHandlers }, configurable: true });
  native.onCall((path, [featureName, params]) => path.length === 1 && path[0] in messageHandlers
    ? callPath(["navigator", "duckduckgo", "messageHandlers", path[0]], [{ context, featureName, subscriptionName: path[0], params }])
    : callPath(path, [featureName, params]));
};
