// Rejected promises without a handler. Only the host's errors count; they have a form of their own. The page may add the handler later.

import { report, seeing } from "../../../lint/base.js";

/**
 * The rejections that were reported, by their promises.
 * @type {WeakMap<object, string>}
 */
const rejections = new WeakMap();
let rejectionCount = 0;

/** @param {unknown} reason */
function codeOf(reason) {
  if (typeof reason !== "object" || reason === null) return undefined;
  const { code, name } = /** @type {any} */ (reason);
  if (name === "PontoonBridgeError") return `bridge.${code}`;
  const names = Object.keys(reason);
  return names.length === 1 && Object.getPrototypeOf(reason) === Object.prototype ? names[0] : undefined;
}

/** @param {PromiseRejectionEvent} event */
seeing.rejection = (event) => {
  const { type, reason, promise } = event;
  if (type === "rejectionhandled") {
    const number = rejections.get(promise);
    if (number) report({ seen: "caught", number });
    return;
  }
  const code = codeOf(reason);
  if (code === undefined) return;
  const number = String(++rejectionCount);
  rejections.set(promise, number);
  report({ seen: "uncaught", code, number });
  // The page's own listeners have run then.
  setTimeout(() => event.defaultPrevented && report({ seen: "caught", number }));
};
