// The language of texts that scripts format without naming one: `Intl`, `toLocaleString` and the like.

import { replaceFunction } from "./replace.js";

/** The classes of `Intl` whose language can be left out. */
const FORMATS = ["Collator", "DateTimeFormat", "DurationFormat", "ListFormat", "NumberFormat", "PluralRules", "RelativeTimeFormat", "Segmenter"];
/** The functions whose first argument is the language, by their prototypes, and the one whose second it is. */
/** @type {[object, string[], number][]} */
const FUNCTIONS = [
  [Number.prototype, ["toLocaleString"], 0],
  [BigInt.prototype, ["toLocaleString"], 0],
  [Date.prototype, ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"], 0],
  [String.prototype, ["toLocaleLowerCase", "toLocaleUpperCase"], 0],
  [String.prototype, ["localeCompare"], 1],
];

/** @type {string | undefined} */
let locale;

/**
 * Adds the device's language to arguments that have none.
 * @param {any[]} list
 * @param {number} index
 */
function withLocale(list, index) {
  if (locale === undefined || list[index] !== undefined) return list;
  const changed = [...list];
  while (changed.length < index) changed.push(undefined);
  changed[index] = locale;
  return changed;
}

export function replaceLocale() {
  for (const name of FORMATS) {
    replaceFunction(Intl, name, (native) => {
      /** @type {any} */
      const format = new Proxy(native, {
        apply: (target, self, list) => Reflect.apply(target, self, withLocale(list, 0)),
        construct: (target, list, made) => Reflect.construct(target, withLocale(list, 0), made === format ? target : made),
      });
      return format;
    });
  }
  for (const [owner, names, index] of FUNCTIONS) {
    for (const name of names) {
      replaceFunction(owner, name, (native) => new Proxy(native, {
        apply: (target, self, list) => Reflect.apply(target, self, withLocale(list, index)),
      }));
    }
  }
}

/** @param {string[] | null} languages - of the person; null for the browser's */
export function setLocale(languages) {
  locale = undefined;
  try {
    locale = languages?.[0] && new Intl.Locale(languages[0]).toString();
  } catch {
    // A tag that no `Intl` takes: the browser's language stays.
  }
}
