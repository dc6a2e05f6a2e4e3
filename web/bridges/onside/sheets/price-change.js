import { element, facts } from "../../../sheets/elements.js";
import { sheetKinds } from "../../../sheets/frame.js";
import { fill } from "../../../sheets/language.js";
import { expectOutcome } from "./outcome.js";
import { paymentRows } from "./payment.js";
import { productIcon } from "./product.js";

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
  const { product, name, oldPrice, newPrice, storefront } = content;
  const { words, countryText, priceText, rhythmText } = language;
  const [before, after] = [priceText(oldPrice), priceText(newPrice)];
  const change = element("p", { class: "price change" }, fill(words.priceChange, { old: before, new: after }));
  const rhythm = rhythmText(product.subscriptionPeriod);
  if (rhythm) change.append(" ", element("span", {}, rhythm));
  return {
    title: fill(words.newPriceTitle, { product: name }),
    description: fill(words.newPriceText, { country: countryText(storefront) }),
    icon: productIcon(product, name),
    body: [change, facts(paymentRows(content, language))],
    confirm: fill(words.continueAt, { price: after }),
    cancel: words.cancel,
    note: words.purchaseNote,
    approved: expectOutcome,
  };
}

sheetKinds.priceChange = priceChangeSheet;
