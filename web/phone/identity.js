// What the navigator says about the device. A browser that plays a phone already has its own values.

/**
 * @param {any} prototype
 * @param {string} name
 * @param {(native: any) => unknown} value
 */
function setNavigatorValue(prototype, name, value) {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  const get = descriptor?.get;
  if (!get) return;
  // A proxy of the browser's own getter looks like it, also as a text.
  Object.defineProperty(prototype, name, {
    ...descriptor,
    get: new Proxy(get, { apply: (target, self, rest) => value(Reflect.apply(target, self, rest)) }),
  });
}

export function setIdentity() {
  if (/iPhone|iPad|Android/.test(navigator.userAgent)) return;
  const prototype = Object.getPrototypeOf(navigator);
  const { platform, userAgent, vendor } = phone;
  /** @param {string} native */
  const agent = (native) => userAgent.replace(/Chrome\/\d+/, (chrome) => /Chrome\/\d+/.exec(native)?.[0] ?? chrome);
  setNavigatorValue(prototype, "platform", () => platform);
  setNavigatorValue(prototype, "vendor", () => vendor);
  setNavigatorValue(prototype, "userAgent", agent);
  setNavigatorValue(prototype, "appVersion", () => agent(navigator.userAgent).replace(/^Mozilla\//, ""));
  setNavigatorValue(prototype, "maxTouchPoints", (native) => native || 5);
}
