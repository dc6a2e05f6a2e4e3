// Callbacks of `window.onside`: misspelled, without a handler, assigned too late, or without an answer.

import { afterwards, report, seeing } from "../../../lint/base.js";

/** How long a page may take to assign a callback that native has already called, in milliseconds. */
const lateAfter = 1000;

/** How many names of a page's own are reported. */
const longestList = 50;

/** @param {string} name */
function isAssigned(name) {
  return typeof Object.getOwnPropertyDescriptor(window.onside ?? {}, name)?.value === "function";
}

/** The names of the functions that the page has put on `window.onside`, as they were reported last. */
let knownNames = "";

/** Reports what the page has put on `window.onside`. Native's own functions cannot be written. */
function reportNames() {
  const members = Object.entries(Object.getOwnPropertyDescriptors(window.onside ?? {}));
  const names = members.filter(([, { value, writable }]) => writable && typeof value === "function").map(([name]) => name);
  if (names.join() === knownNames) return;
  knownNames = names.join();
  report({ seen: "members", names: names.slice(0, longestList) });
}

afterwards.push(reportNames);

/**
 * Native has called a callback.
 * @param {string} name
 * @param {unknown} callback - what the page has assigned
 * @param {unknown} result - what the callback has returned
 */
seeing.callback = (name, callback, result) => {
  if (typeof callback === "function") {
    if (!name.startsWith("should") || typeof result === "boolean") return;
    return report({ seen: "answered", callback: name, type: result === null ? "null" : typeof result });
  }
  report({ seen: "unheard", callback: name });
  if (name === "onTransactionsUpdated") {
    setTimeout(() => report({ seen: isAssigned(name) ? "late" : "deaf", callback: name }), lateAfter);
  }
};

/**
 * The page calls a function of `window.onside`.
 * @param {string} name
 */
seeing.call = (name) => {
  if (name === "restoreCompletedTransactions" && /** @type {any} */ (navigator).userActivation?.hasBeenActive === false) report({ seen: "unasked" });
};
