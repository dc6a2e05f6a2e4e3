import { sheetLanguages, sheetWords } from "./words.js";

/** @typedef {import("./words/en.js").PeriodForms} PeriodForms */

/** Whose readers get the words of another language. */
const nearestLanguages = new Map([["no", "nb"], ["nn", "nb"]]);

/** Characters that are written from right to left: the blocks of Unicode whose letters are. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Characters that change the direction of what follows, also behind the text that has them. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * @param {string} text - with names in braces
 * @param {Record<string, string>} values - the values for these names
 */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

/** @typedef {ReturnType<typeof languageOf>} Language */

/**
 * @param {string} [locale] - such as `de_CH`; the default is the browser's
 * @returns {string} the language of the sheets for it, such as `de` or `zh-Hant`
 */
export const languageFor = (locale = navigator.language) => nearestLanguage(canonicalLocale(locale));

/**
 * Returns the words of a sheet, and the formats of prices, periods and countries. Falls back to English words.
 * @param {string} [locale] - such as `de_CH`; the default is the browser's
 */
export function languageOf(locale = navigator.language) {
  const wanted = canonicalLocale(locale);
  const known = nearestLanguage(wanted);
  const language = sheetWords[known] ? known : "en";
  const words = /** @type {import("./words/en.js").SheetWords} */ (sheetWords[language]);
  const [base] = language.split("-");
  const tag = wanted.language === base ? wanted.toString() : language;
  const direction = base === "ar" || base === "he" ? "rtl" : "ltr";
  const plural = new Intl.PluralRules(tag);

  /**
   * Returns a text of others so that it does not change the order of the text around it.
   * @param {string} text
   */
  const isolated = (text) => {
    const plain = text.replace(directionMarks, "");
    return plain && (direction === "rtl" || rightToLeft.test(plain)) ? `\u2068${plain}\u2069` : plain;
  };

  return {
    tag,
    direction,
    words,
    isolated,

    /**
     * @param {string} text - with names in braces
     * @param {Record<string, string>} values - texts of others, prices, dates or names
     */
    textWith: (text, values) => fill(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(value)]))),

    /**
     * @param {PeriodForms} forms
     * @param {JSPeriod} period
     * @returns {string} such as "per month" or "every 3 months"
     */
    periodText(forms, { unit, numberOfUnits }) {
      const byNumber = forms[unit];
      const form = byNumber[/** @type {1} */ (numberOfUnits)] ?? byNumber[plural.select(numberOfUnits)] ?? byNumber.other;
      return fill(form, { number: new Intl.NumberFormat(tag).format(numberOfUnits) });
    },

    /**
     * @param {JSPrice} price
     * @returns {string} such as "$0.99"
     */
    priceText({ value, currencyCode }) {
      try {
        return new Intl.NumberFormat(wanted.toString(), { style: "currency", currency: currencyCode }).format(value);
      } catch {
        return `${value} ${currencyCode}`;
      }
    },

    /**
     * @param {number} time - in milliseconds since the Unix epoch
     * @returns {string} such as "January 31, 2026"
     */
    dateText: (time) => new Intl.DateTimeFormat(tag, { dateStyle: "long" }).format(time),

    /**
     * @param {{countryCode: string}} storefront
     * @returns {string} the name of the country, or its code if the browser knows no name
     */
    countryText({ countryCode }) {
      try {
        return new Intl.DisplayNames(tag, { type: "region" }).of(countryCode) ?? countryCode;
      } catch {
        return countryCode;
      }
    },
  };
}

/** @param {Intl.Locale} locale */
function nearestLanguage(locale) {
  const { language, script } = locale.maximize();
  const nearest = language === "zh" ? `zh-${script}` : nearestLanguages.get(language) ?? language;
  return sheetLanguages.includes(nearest) ? nearest : "en";
}

/** @param {string} tag */
function canonicalLocale(tag) {
  try {
    const locale = new Intl.Locale(tag.replace(/_/g, "-"));
    return Intl.NumberFormat.supportedLocalesOf(locale.toString()).length ? locale : new Intl.Locale("en");
  } catch {
    return new Intl.Locale("en");
  }
}
