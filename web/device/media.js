// Media queries about what the device says: dark mode and how the phone is held. Queries about anything else stay the browser's.

import { replaceFunction } from "./replace.js";

/** What the device says, by the features of queries; nothing for what is the browser's. */
/** @type {Record<string, string | null>} */
const said = { "prefers-color-scheme": null, orientation: null };
const feature = /\(\s*(prefers-color-scheme|orientation)\s*(?::\s*([\w-]+)\s*)?\)/gi;
const native = window.matchMedia;

/**
 * Replaces what the device says by what is always true, or never.
 * @param {string} query
 */
const answered = (query) => query.replace(feature, (text, name, value) => {
  const is = said[name.toLowerCase()];
  if (is === null) return text;
  return value === undefined || value.toLowerCase() === is ? "(min-width: 0)" : "(max-width: -1px)";
});

/** The lists of queries that the device answers, and what they said last. */
/** @type {Map<any, boolean>} */
const lists = new Map();
const listLimit = 1000;

/** @param {string} query */
function makeList(query) {
  const list = /** @type {any} */ (new EventTarget());
  /** @type {((event: Event) => void) | null} */
  let listener = null;
  const matches = () => native.call(window, answered(query)).matches;
  Object.defineProperties(list, {
    media: { enumerable: true, value: native.call(window, query).media },
    matches: { enumerable: true, get: matches },
    onchange: {
      enumerable: true, get: () => listener, set: (value) => {
        if (listener) list.removeEventListener("change", listener);
        listener = typeof value === "function" ? value : null;
        if (listener) list.addEventListener("change", listener);
      },
    },
    addListener: { value: (/** @type {any} */ take) => list.addEventListener("change", take) },
    removeListener: { value: (/** @type {any} */ take) => list.removeEventListener("change", take) },
  });
  if (lists.size < listLimit) lists.set(list, matches());
  // What the browser decides can change, too.
  native.call(window, query).addEventListener?.("change", () => tellList(list));
  return list;
}

/** @param {any} list */
function tellList(list) {
  const { matches, media } = list;
  if (lists.get(list) === matches) return;
  lists.set(list, matches);
  list.dispatchEvent(Object.assign(new Event("change"), { matches, media }));
}

/** The conditions of style rules as their sheets have them. */
/** @type {WeakMap<MediaList, string>} */
const originals = new WeakMap();

/** @param {MediaList} media */
function answerRule(media) {
  const original = originals.get(media) ?? media.mediaText;
  if (!original.match(feature)) return;
  originals.set(media, original);
  const text = answered(original);
  if (media.mediaText !== text) media.mediaText = text;
}

/** @param {any} rules */
function answerRules(rules) {
  for (const rule of rules) {
    if (rule.media) answerRule(rule.media);
    try {
      if (rule.styleSheet) answerSheet(rule.styleSheet);
      else if (rule.cssRules?.length) answerRules(rule.cssRules);
    } catch {
      // A sheet of another origin does not show its rules.
    }
  }
}

/** @param {CSSStyleSheet} sheet */
function answerSheet(sheet) {
  try {
    answerRules(sheet.cssRules);
  } catch {
    // See above.
  }
}

/** Has the rules of all style sheets follow the device. */
function answerSheets() {
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets ?? []]) {
    if (sheet.media) answerRule(sheet.media);
    answerSheet(sheet);
  }
}

const isStyle = (/** @type {Node} */ node) => /^(style|link)$/i.test(node.nodeName);
/** @param {MutationRecord} record */
const bringsStyle = ({ target, addedNodes }) => isStyle(target)
  || [...addedNodes].some((node) => isStyle(node) || /** @type {any} */ (node).querySelector?.("style, link"));

let isWatching = false;
/** Sheets that load later follow the device, too. */
function watchSheets() {
  if (isWatching) return;
  isWatching = true;
  new MutationObserver((records) => records.some(bringsStyle) && answerSheets()).observe(document, { childList: true, subtree: true });
  document.addEventListener("load", ({ target }) => target instanceof Node && isStyle(target) && answerSheets(), true);
}

export function replaceMedia() {
  replaceFunction(window, "matchMedia", () => (/** @type {any} */ query) => {
    const text = `${query}`;
    return text.match(feature) ? makeList(text) : native.call(window, text);
  });
}

/**
 * @param {string | null} colorScheme
 * @param {string | null} orientation
 */
export function setMedia(colorScheme, orientation) {
  if (said["prefers-color-scheme"] === colorScheme && said.orientation === orientation) return;
  Object.assign(said, { "prefers-color-scheme": colorScheme, orientation });
  watchSheets();
  answerSheets();
  for (const list of lists.keys()) tellList(list);
}
