// DSBridge: calls by prompt, answered at once or by the name of a callback; and calls of the page's functions.

presets.dsbridge = (native) => {
  const prefix = "_dsbridge=";
  native.object("_dswk", true);
  native.prompt((text) => text.startsWith(prefix), (text, value) => {
    const name = text.slice(prefix.length);
    const { data, _dscbstub: callback } = parse(value || "{}");
    // Page code asks by a method of its own whether native has one.
    if (callback === undefined) return stringify({ code: 0, data: native.now(name, data) });
    native.send(name, data).then((answer) => {
      if (answer === undefined) return;
      callPath([callback], [answer]);
      deleteProperty(window, callback);
    }, reportUncaught);
    return "{}";
  });
  let calls = 0;
  /** @type {Map<number, (value: unknown) => void>} */
  const waiting = new NativeMap();
  native.prompt((text) => text === `${prefix}_dsb.returnValue`, (_, value) => {
    const { data: { id, data } } = parse(value);
    mapGet(waiting, id)?.(data);
    mapDelete(waiting, id);
    return "{}";
  });
  native.onCall((path, list) => new NativePromise((resolve) => {
    mapSet(waiting, ++calls, resolve);
    native.call("_handleMessageFromNative", stringify({ method: path.join("."), callbackId: calls, data: stringify(list) }));
  }));
};
