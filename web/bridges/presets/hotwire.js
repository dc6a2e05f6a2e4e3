// Hotwire Native: bridge components, and the visits of Turbo. What native evaluates is in the page's own scripts.

presets.hotwire = (native) => {
  const { components = [] } = native.options;
  native.channel("bridge", {}, (message) => {
    if (message === "ready") {
      native.send("ready", message);
      return native.call("nativeBridge.register", components);
    }
    const { id, component, event } = message;
    native.send(`${component}.${event}`, message).then(
      (data) => data !== undefined && native.call("nativeBridge.replyWith", { id, component, event, data }), reportUncaught);
  });
  native.channel("turbo", {}, (message) => native.send(`turbo.${message.name}`, message));
};
