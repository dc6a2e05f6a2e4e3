// What the linter sees of a page. A separate script judges it (`web/lint/`, and `lint/` of each bridge). The shim loads that script for the first observation, and
// keeps what comes before. In a strict run it comes with the shim, so that it misses nothing of a page that ends at once.

import { loadScript } from "./load.js";

/** @type {[kind: string, ...details: any[]][]} */
const observations = [];

/**
 * Tells the linter what the page does, or what becomes of it.
 * @param {[kind: string, ...details: any[]]} observation
 * @returns {void}
 */
export let observe = (...observation) => {
  if (!observations.length) loadScript("lint.js");
  // The script may never come.
  if (observations.length < 99) observations[observations.length] = observation;
};

/**
 * Gives all observations from now on to the linter's script.
 * @param {typeof observe} take
 * @returns the earlier observations
 */
export const watch = (take) => {
  observe = take;
  return observations;
};
