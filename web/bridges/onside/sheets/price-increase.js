import { facts } from "../../../sheets/elements.js";
import { sheetKinds } from "../../../sheets/frame.js";
import { paymentRows } from "./payment.js";
import { changeLine, productIcon } from "./product.js";

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
  const { product, name, newPrice, renewsAt } = content;
  const { words, dateText, priceText, textWith } = language;
  return {
    title: textWith(words.newPriceTitle, { product: name }),
    description: textWith(words.increaseText, { date: dateText(renewsAt) }),
    icon: productIcon(product, name),
    body: [changeLine(language, content), facts(paymentRows(content, language))],
    confirm: textWith(words.continueAt, { price: priceText(newPrice) }),
    cancel: words.decline,
    note: words.purchaseNote,
  };
}

sheetKinds.priceIncrease = priceIncreaseSheet;
