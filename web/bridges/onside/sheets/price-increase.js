import { element, facts } from "../../../sheets/elements.js";
import { sheetKinds } from "../../../sheets/frame.js";
import { fill } from "../../../sheets/language.js";
import { paymentRows } from "./payment.js";
import { productIcon } from "./product.js";

/** @typedef {import("../../../sheets/language.js").Language} Language */
/** @typedef {import("../../../sheets/frame.js").SheetParts} SheetParts */

/**
 * The sheet that asks for consent to a higher price of a subscription. `renewsAt` is in milliseconds since the Unix epoch.
 * @param {{product: JSProduct, name: string, oldPrice: JSPrice, newPrice: JSPrice, renewsAt: number, account: {name: string, email: string},
 *   storefront: {countryCode: string}}} content
 * @param {Language} language
 * @returns {SheetParts}
 */
function priceIncreaseSheet(content, language) {
  const { product, name, oldPrice, newPrice, renewsAt } = content;
  const { words, dateText, priceText, rhythmText } = language;
  const change = element("p", { class: "price change" }, fill(words.priceChange, { old: priceText(oldPrice), new: priceText(newPrice) }));
  const rhythm = rhythmText(product.subscriptionPeriod);
  if (rhythm) change.append(" ", element("span", {}, rhythm));
  return {
    title: fill(words.newPriceTitle, { product: name }),
    description: fill(words.increaseText, { date: dateText(renewsAt) }),
    icon: productIcon(product, name),
    body: [change, facts(paymentRows(content, language))],
    confirm: fill(words.continueAt, { price: priceText(newPrice) }),
    cancel: words.decline,
    note: words.purchaseNote,
  };
}

sheetKinds.priceIncrease = priceIncreaseSheet;
