// Cordova: calls of plugins by one message handler, answered by callback id.

presets.cordova = (native) => {
  native.channel("cordova", {}, ([callbackId, service, action, args]) => {
    const answer = (/** @type {number} */ status, /** @type {unknown} */ argument) => {
      if (callbackId === "INVALID") return;
      const exec = /** @type {any} */ (window).cordova.require("cordova/exec");
      exec.nativeCallback(callbackId, status, argument, false, false);
    };
    native.send(`${service}.${action}`, { callbackId, service, action, args }).then(
      (value) => value !== undefined && answer(1, value),
      (/** @type {Error} */ { message }) => answer(9, message));
  });
};
