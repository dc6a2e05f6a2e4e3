import { sheetWords } from "./words.js";

/**
 * @param {string} text - with names in braces
 * @param {Record<string, string>} values - the values for these names
 */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

/** @typedef {ReturnType<typeof languageOf>} Language */

/**
 * Returns the words of a sheet, and the formats of prices, periods and countries. Falls back to English words.
 * @param {string} [locale] - such as `de_CH`; the default is the browser's
 */
export function languageOf(locale = navigator.language) {
  const wanted = canonicalLocale(locale.replace(/_/g, "-"));
  const { language } = wanted;
  const isKnown = Object.hasOwn(sheetWords, language);
  const words = isKnown ? sheetWords[language] : sheetWords.en;
  const tag = isKnown ? wanted.toString() : "en";

  /** @param {JSPeriod} period */
  const periodText = ({ unit, numberOfUnits }) =>
    new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "long" }).format(numberOfUnits);

  return {
    tag,
    direction: language === "ar" || language === "he" ? "rtl" : "ltr",
    words,
    periodText,

    /**
     * @param {string[]} parts
     * @returns {string} such as "per month, for the first 3 months"
     */
    listText: (parts) => new Intl.ListFormat(tag, { type: "unit", style: "short" }).format(parts),

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
    dateText: (time) => new Intl.DateTimeFormat(wanted.toString(), { dateStyle: "long" }).format(time),

    /**
     * @param {JSPeriod} [period] - of a subscription
     * @returns {string} such as "per month"; empty for a purchase
     */
    rhythmText(period) {
      if (!period) return "";
      const { unit, numberOfUnits } = period;
      return numberOfUnits === 1 ? words.per[unit] : fill(words.every, { period: periodText(period) });
    },

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

/** @param {string} tag */
function canonicalLocale(tag) {
  try {
    const locale = new Intl.Locale(tag);
    return Intl.NumberFormat.supportedLocalesOf(tag).length ? locale : new Intl.Locale("en");
  } catch {
    return new Intl.Locale("en");
  }
}
