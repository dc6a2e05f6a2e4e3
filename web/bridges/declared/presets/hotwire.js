// Hotwire Native: bridge components, and the visits of Turbo. The functions that the host calls are in the page's own scripts.
// Source: hotwired/hotwire-native-ios, Source/Bridge/bridge.js, Bridge.swift, BridgeDelegate.swift, InternalMessage.swift, Source/Turbo/WebView/turbo.js
// Plays: register after ready; replyWith with an object; visits as messages
// Not played: native starts no visits by itself

import { isArray, reportUncaught, warn } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { later } from "../guarded.js";

presets.hotwire = (native) => {
  const { components = [] } = native.options;
  native.channel("bridge", {}, (message) => {
    if (message === "ready") {
      native.send("ready", message).catch(reportUncaught);
      return later(() => native.call("nativeBridge.register", components));
    }
    const { id, component, event, data } = message;
    const name = `${component}.${event}`;
    if (data?.metadata?.url !== location.href) warn(`${name}: native ignores a message whose data.metadata.url is not ${location.href}.`);
    const reply = (/** @type {unknown} */ data) => {
      if (data === undefined) return;
      const isObject = typeof data === "object" && data && !isArray(data);
      if (!isObject) warn(`${name}: native replies with an object, so this is lost:`, data);
      native.call("nativeBridge.replyWith", { id, component, event, data: isObject ? data : {} });
    };
    native.send(name, message).then(reply).catch(reportUncaught);
  });
  native.channel("turbo", {}, (message) => void native.send(`turbo.${message.name}`, message).catch(reportUncaught));
};
