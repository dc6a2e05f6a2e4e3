// Addresses of the app that nothing answers.

import { report, seeing } from "../../../lint/base.js";

/** How many schemes of a page are reported. */
const longestSchemeList = 10;

/** @type {Set<string>} */
const reportedSchemes = new Set();

/**
 * @param {string} scheme
 * @param {string} loader - what has tried to load the address
 */
seeing.scheme = (scheme, loader) => {
  if (reportedSchemes.has(scheme) || reportedSchemes.size === longestSchemeList) return;
  reportedSchemes.add(scheme);
  report({ seen: "scheme", scheme, loader });
};
