import { badge, element, imageAt, initialsOf } from "../../../sheets/elements.js";

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
 * Makes a price in large type.
 * @param {Language} language
 * @param {JSPrice} price
 * @param {string} validity - the period, such as "per month"; empty for a purchase
 */
export function priceLine({ words, priceText }, price, validity) {
  const line = element("p", { class: "price" }, price.value ? priceText(price) : words.free);
  if (validity) line.append(" ", element("span", {}, validity));
  return line;
}
