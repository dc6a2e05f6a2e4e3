// Rejected promises without a handler. Only the host's errors count; they have a form of their own.

import { report, seeing } from "../../../lint/base.js";

/** @param {unknown} reason */
seeing.rejection = (reason) => {
  if (typeof reason !== "object" || reason === null) return;
  const { code, name } = /** @type {any} */ (reason);
  if (name === "PontoonBridgeError") return report({ seen: "uncaught", code: `bridge.${code}` });
  const names = Object.keys(reason);
  if (names.length === 1 && Object.getPrototypeOf(reason) === Object.prototype) report({ seen: "uncaught", code: names[0] });
};
