import { badge, element, imageAt, initialsOf } from "../../../sheets/elements.js";
import { fill } from "../../../sheets/language.js";

/** @typedef {import("../../../sheets/language.js").Language} Language */

/**
 * @param {{productIdentifier: string, iconUrl?: string}} product
 * @param {string} name - the product's name for people
 */
export function productIcon({ productIdentifier, iconUrl }, name) {
  const tile = badge(initialsOf(name).slice(0, 1), productIdentifier);
  if (iconUrl) tile.append(imageAt(iconUrl));
  return tile;
}

/**
 * Makes a sentence with a price, which is in large type.
 * @param {Language} language
 * @param {JSPrice} price
 * @param {string} sentence - has the slot `{price}`
 */
export function priceLine(language, price, sentence) {
  const text = price.value ? language.isolated(language.priceText(price)) : language.words.free;
  const [before, after] = sentence.split("{price}");
  // Only a phrase before the price begins in lower case.
  const start = before.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(language.tag));
  return element("p", { class: "price" }, ...small(start), text, ...small(after));
}

/**
 * Makes a sentence about a price that changes: the prices, and in small type the period of a subscription.
 * @param {Language} language
 * @param {{product: JSProduct, oldPrice: JSPrice, newPrice: JSPrice}} change
 */
export function changeLine({ words, periodText, priceText, textWith }, { product, oldPrice, newPrice }) {
  const period = product.subscriptionPeriod;
  const sentence = period ? words.renewalChange : words.priceChange;
  // A price stays on the line of its word. A line may end at the comma.
  const [before, after = ""] = sentence.replace(/(?<![,،，]) (?=\{(?:old|new)\})/gu, "\u00A0").split("{every}")
    .map((part) => textWith(part, { old: priceText(oldPrice), new: priceText(newPrice) }));
  const line = element("p", { class: "price change" }, before);
  if (period) line.append(element("span", {}, periodText(words.every, period)));
  line.append(after);
  return line;
}

/**
 * Makes a phrase in small type. The spaces at its ends stay outside.
 * @param {string} phrase
 */
function small(phrase) {
  const text = phrase.trim();
  return text ? phrase.split(text).flatMap((space, index) => (index ? [element("span", {}, text), space] : [space])) : [];
}

/**
 * The terms of an offer. With `payAsYouGo` the price is due for each period, otherwise once for the whole `duration`.
 * @typedef {{paymentMode: "free" | "payAsYouGo" | "payUpFront", period: JSPeriod, numberOfPeriods: number, duration: JSPeriod}} Offer
 */

/**
 * Says when the price of a product is due.
 * @param {Pick<Language, "words" | "periodText">} language
 * @param {JSPeriod} [period] - of a subscription
 * @returns {string} such as "{price} per month"
 */
export const priceSentence = ({ words, periodText }, period) =>
  period ? fill(words.renews, { price: "{price}", every: periodText(words.every, period) }) : "{price}";

/**
 * Says when the price of an offer is due.
 * @param {Pick<Language, "words" | "periodText">} language
 * @param {Offer} offer
 * @returns {string} such as "{price} for the first month" or "{price} per month for the first 3 months"
 */
export function offerSentence({ words, periodText }, { duration, numberOfPeriods, paymentMode, period }) {
  const slots = { price: "{price}", first: periodText(words.first, duration), every: periodText(words.every, period) };
  if (paymentMode === "free") return fill(words.offerFree, slots);
  return fill(paymentMode === "payAsYouGo" && numberOfPeriods > 1 ? words.offerEach : words.offerOnce, slots);
}
