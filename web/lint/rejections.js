// Rejected promises that nobody has caught. Errors of the host have a form of their own; others are none of our business.

/** @param {unknown} reason */
seeing.rejection = (reason) => {
  if (typeof reason !== "object" || reason === null) return;
  const { code, name } = /** @type {any} */ (reason);
  if (name === "PontoonBridgeError") return report({ seen: "uncaught", code: `bridge.${code}` });
  const names = Object.keys(reason);
  if (names.length === 1 && Object.getPrototypeOf(reason) === Object.prototype) report({ seen: "uncaught", code: names[0] });
};
