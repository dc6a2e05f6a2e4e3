import { facts } from "../../../sheets/elements.js";
import { sheetKinds } from "../../../sheets/frame.js";
import { expectOutcome } from "./outcome.js";
import { offerSentence, priceLine, priceSentence, productIcon } from "./product.js";

/** @typedef {import("../../../sheets/language.js").Language} Language */
/** @typedef {import("../../../shim/sheets.js").SheetContent} SheetContent */
/** @typedef {import("../../../sheets/frame.js").SheetParts} SheetParts */
/** @typedef {import("./product.js").Offer} Offer */

/**
 * The content of a payment sheet. `price` is due now; with an `offer`, it is the price of the offer.
 * @typedef {{product: JSProduct, name: string, account: {name: string, email: string}, storefront: {countryCode: string},
 *   price: JSPrice, offer?: Offer, method?: string}} PaymentContent
 */

/**
 * @param {PaymentContent} content
 * @param {Language} language
 * @param {SheetContent} sheet
 * @returns {SheetParts}
 */
function paymentSheet(content, language, { waitsFor }) {
  const { product, name, offer, price } = content;
  const { words, isolated, priceText, textWith } = language;
  const { localizedDescription, subscriptionPeriod } = product;
  const rows = paymentRows(content, language);
  const isAsking = waitsFor === "approval";
  const sentence = priceSentence(language, subscriptionPeriod);
  if (offer) rows.unshift([words.then, textWith(sentence, { price: priceText(product.price) })]);
  return {
    title: textWith(isAsking ? words.askTitle : words.buyTitle, { product: name }),
    description: isolated(localizedDescription),
    icon: productIcon(product, name),
    body: [priceLine(language, price, offer ? offerSentence(language, offer) : sentence), facts(rows)],
    confirm: isAsking ? words.ask : words.buy,
    cancel: words.cancel,
    note: words.purchaseNote,
    approved: expectOutcome,
  };
}

/**
 * Makes the rows for the account, the payment method and the storefront.
 * @param {Pick<PaymentContent, "account" | "storefront" | "method">} content
 * @param {Language} language
 * @returns {[string, string][]}
 */
export function paymentRows({ account, storefront, method }, { words, countryText, isolated }) {
  /** @type {[string, string][]} */
  const rows = [[words.account, isolated(account.email)], [words.country, countryText(storefront)]];
  if (method) rows.unshift([words.payWith, isolated(method)]);
  return rows;
}

sheetKinds.payment = paymentSheet;
