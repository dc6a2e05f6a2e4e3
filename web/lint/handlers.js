// The names of missing message handlers that a page has read: one of them may be misspelled.

import { report, seeing } from "./base.js";

/** How many names are reported. */
const longestHandlerList = 20;

/** @type {Set<string>} */
const missedHandlers = new Set();

/** @param {PropertyKey} name */
seeing.handler = (name) => {
  if (typeof name !== "string" || missedHandlers.has(name) || missedHandlers.size === longestHandlerList) return;
  missedHandlers.add(name);
  report({ seen: "handler", name });
};
