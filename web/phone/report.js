// Tells the linter what the page does that would fail or differ on the phone. The server finds the words.

/** What the shim shares with this script. */
const shim = /** @type {any} */ (document)[Symbol.for("footbridge")];

/** How many observations are reported. */
let reportsLeft = 50;

/** What was reported, as texts. */
const reported = new Set();

/** The characters of a place that fit into an observation. */
const longestPlace = 90;

/**
 * Returns a place in the page's code, such as `/app.js:12:5`.
 * @param {string} address
 * @param {string | number} line
 * @param {string | number} column
 */
export function placeIn(address, line, column) {
  const { origin, pathname } = new URL(address, location.href);
  return `${origin === location.origin ? pathname : origin + pathname}:${line}:${column}`.slice(-longestPlace);
}

/**
 * Returns the first place of the page's own code in a stack; an empty text if there is none.
 * @param {unknown} stack
 */
export function placeOf(stack) {
  for (const [, address, line, column] of `${stack}`.matchAll(/(https?:\/\/[^\s)]+?):(\d+):(\d+)/g)) {
    if (!address.includes("/__footbridge/")) return placeIn(address, line, column);
  }
  return "";
}

/**
 * @param {{seen: "phoneLacks" | "phoneDiffers", at: string, [member: string]: string}} data
 */
export function report(data) {
  const text = Object.values(data).join("\n");
  if (reported.has(text) || reportsLeft-- <= 0) return;
  reported.add(text);
  // Without prototypes, no `toJSON` of the page runs.
  shim?.tell("lint", { __proto__: null, ...data, phone: phone.name });
}

/**
 * The page has failed for the lack of an API, or has called it.
 * @param {string} path
 * @param {string} at
 * @param {boolean} hasFailed
 */
export function reportAPI(path, at, hasFailed) {
  report({ seen: "phoneLacks", api: path.replace(".prototype.", "."), since: phone.lacks[path], hidden: hasFailed ? "yes" : "no", at });
}

/**
 * The page does what differs on the phone.
 * @param {string} what - a case of `PhoneLint.Difference`
 * @param {string} at
 */
export const reportDifference = (what, at) => report({ seen: "phoneDiffers", what, at });
