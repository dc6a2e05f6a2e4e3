// Watches for the page's use of what the phone lacks.

import { missingInMessage } from "./failures.js";
import { findAPI } from "./hide.js";
import { placeIn, placeOf, reportAPI } from "./report.js";

/**
 * The lines of a script, by its address.
 * @type {Map<string, Promise<string[]>>}
 */
const scripts = new Map();
const load = fetch;

/**
 * Loads a script of the page's origin once more, from the browser's cache.
 * @param {string} address
 */
function linesOf(address) {
  let lines = scripts.get(address);
  if (!lines) {
    const { origin } = new URL(address, location.href);
    lines = origin === location.origin
      ? load(address, { cache: "force-cache" }).then((response) => response.text(), () => "").then((text) => text.split("\n"))
      : Promise.resolve([]);
    scripts.set(address, lines);
  }
  return lines;
}

/** The code of the scripts in the document itself. */
const inlineCode = () => Array.from(document.querySelectorAll("script:not([src])"), ({ textContent }) => textContent).join("\n");

/** The characters around the column of an error that can name the API. A minified script has one line. */
const width = 100;

/**
 * An error that nobody has caught.
 * @param {unknown} error
 * @param {string} message
 * @param {string} address
 * @param {number} line
 * @param {number} column
 */
async function judge(error, message, address, line, column) {
  const at = address ? placeIn(address, line, column) : placeOf(/** @type {any} */ (error)?.stack);
  const isInline = !address || new URL(address, location.href).pathname === location.pathname;
  // A page that ends at once reports what needs no script to be loaded.
  let path = missingInMessage(message, isInline ? inlineCode() : "");
  if (!path && !isInline) {
    const text = (await linesOf(address))[line - 1] ?? "";
    path = missingInMessage(message, text.slice(Math.max(0, column - width), column + width));
  }
  if (path) reportAPI(path, at, true);
}

/** Reports errors that the page does not catch, if they come from the lack of an API. */
export function watchFailures() {
  addEventListener("error", ({ error, message, filename, lineno, colno }) => {
    if (typeof message === "string") void judge(error, message, filename, lineno, colno);
  });
  addEventListener("unhandledrejection", ({ reason }) => {
    if (!(reason instanceof Error)) return;
    const [, address = "", line, column] = /(https?:\/\/[^\s)]+?):(\d+):(\d+)/.exec(`${reason.stack}`) ?? [];
    void judge(reason, reason.message, address, Number(line), Number(column));
  });
}

/**
 * Reports the calls of a function.
 * @param {any} owner
 * @param {string} name
 * @param {string} path - the path of the missing API
 */
function watchFunction(owner, name, path) {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  const target = descriptor?.value;
  if (typeof target !== "function" || !descriptor?.configurable) return;
  const called = () => reportAPI(path, placeOf(new Error().stack), false);
  Object.defineProperty(owner, name, {
    ...descriptor,
    value: new Proxy(target, {
      apply(native, self, rest) {
        called();
        return Reflect.apply(native, self, rest);
      },
      construct(native, rest, newTarget) {
        called();
        return Reflect.construct(native, rest, newTarget);
      },
    }),
  });
}

/** Reports the calls of what the phone lacks, and the browser has: functions, constructors, and the methods of interfaces. */
export function watchCalls() {
  for (const path of Object.keys(phone.lacks)) {
    const [owner, name] = findAPI(path) ?? [];
    if (!owner || !name) continue;
    const value = Object.getOwnPropertyDescriptor(owner, name)?.value;
    const prototype = owner === window && value?.prototype;
    if (prototype) {
      for (const member of Object.getOwnPropertyNames(prototype)) {
        if (member !== "constructor") watchFunction(prototype, member, path);
      }
    }
    watchFunction(owner, name, path);
  }
}
