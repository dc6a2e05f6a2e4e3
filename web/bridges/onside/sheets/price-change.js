import { facts } from "../../../sheets/elements.js";
import { sheetKinds } from "../../../sheets/frame.js";
import { expectOutcome } from "./outcome.js";
import { paymentRows } from "./payment.js";
import { changeLine, productIcon } from "./product.js";

/** @typedef {import("../../../sheets/language.js").Language} Language */
/** @typedef {import("./payment.js").PaymentContent} PaymentContent */
/** @typedef {import("../../../sheets/frame.js").SheetParts} SheetParts */

/**
 * The payment sheet of a product whose price has changed since the page asked for it.
 * @param {PaymentContent & {oldPrice: JSPrice, newPrice: JSPrice}} content
 * @param {Language} language
 * @returns {SheetParts}
 */
function priceChangeSheet(content, language) {
  const { product, name, newPrice, storefront } = content;
  const { words, countryText, priceText, textWith } = language;
  return {
    title: textWith(words.newPriceTitle, { product: name }),
    description: textWith(words.newPriceText, { country: countryText(storefront) }),
    icon: productIcon(product, name),
    body: [changeLine(language, content), facts(paymentRows(content, language))],
    confirm: textWith(words.continueAt, { price: priceText(newPrice) }),
    cancel: words.cancel,
    note: words.purchaseNote,
    approved: expectOutcome,
  };
}

sheetKinds.priceChange = priceChangeSheet;
