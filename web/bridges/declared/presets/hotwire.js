// Hotwire Native: bridge components, and the visits of Turbo. The functions that the host calls are in the page's own scripts.

import { reportUncaught } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { later } from "../guarded.js";

presets.hotwire = (native) => {
  const { components = [] } = native.options;
  native.channel("bridge", {}, (message) => {
    if (message === "ready") {
      native.send("ready", message).catch(reportUncaught);
      return later(() => native.call("nativeBridge.register", components));
    }
    const { id, component, event } = message;
    native.send(`${component}.${event}`, message).then(
      (data) => data !== undefined && native.call("nativeBridge.replyWith", { id, component, event, data })).catch(reportUncaught);
  });
  native.channel("turbo", {}, (message) => void native.send(`turbo.${message.name}`, message).catch(reportUncaught));
};
