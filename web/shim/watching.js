// What the linter sees of a page. A separate script judges it (`web/lint/`, `web/bridges/lint/`). The shim loads that script for the first observation, and
// keeps what comes before.

/** @type {[kind: string, ...details: any[]][]} */
const observations = [];

/**
 * Tells the linter what the page does, or what becomes of it.
 * @param {[kind: string, ...details: any[]]} observation
 * @returns {void}
 */
let observe = (...observation) => {
  if (!observations.length) loadScript("lint.js");
  // The script may never come.
  if (observations.length < 99) observations[observations.length] = observation;
};
