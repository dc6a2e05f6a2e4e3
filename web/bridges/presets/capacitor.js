// Capacitor: calls of plugins, their listeners, Cordova plugins, and synchronous calls by prompt.

presets.capacitor = (native) => {
  const { plugins = {}, debug = true } = native.options;
  const headers = keys(plugins).map((name) => ({
    name,
    methods: isArray(plugins[name])
      ? plugins[name].map((/** @type {any} */ method) => typeof method === "string" ? { name: method, rtype: "promise" } : method)
      : keys(plugins[name]).map((method) => ({ name: method, rtype: plugins[name][method] ?? undefined })),
  }));
  const isListener = (/** @type {string} */ plugin, /** @type {string} */ method) => method === "addListener"
    || headers.some(({ name, methods }) => name === plugin
      && methods.some((/** @type {any} */ { name, rtype }) => name === method && rtype === "callback"));
  /** @type {any} */
  const capacitor = { DEBUG: debug, isLoggingEnabled: debug, Plugins: {}, PluginHeaders: headers };
  for (const { name } of headers) capacitor.Plugins[name] = {};
  native.object("Capacitor", capacitor);
  native.object("WEBVIEW_SERVER_URL", location.origin);
  native.channel("bridge", {}, (message) => {
    if (message.type === "js.error") return native.send("js.error", message);
    const { callbackId, pluginId = message.service, methodName = message.action } = message;
    const answer = (/** @type {object} */ result) => {
      if (callbackId === undefined || callbackId === "-1") return;
      native.call("Capacitor.fromNative", {
        callbackId, pluginId, methodName, save: isListener(pluginId, methodName), ...result,
      });
    };
    native.send(`${pluginId}.${methodName}`, message).then(
      (data) => data !== undefined && answer({ success: true, data }),
      (/** @type {Error} */ { message }) => answer({ success: false, error: { message, code: message } }));
  });
  const read = (/** @type {string} */ text) => {
    try {
      return parse(text);
    } catch {}
  };
  native.prompt((text) => typeof read(text)?.type === "string", (text) => {
    const message = read(text);
    const value = native.now(message.type, message);
    return value === undefined || typeof value === "string" ? value : stringify(value);
  });
};
