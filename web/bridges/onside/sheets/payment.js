import { facts } from "../../../sheets/elements.js";
import { sheetKinds } from "../../../sheets/frame.js";
import { fill } from "../../../sheets/language.js";
import { expectOutcome } from "./outcome.js";
import { priceLine, productIcon } from "./product.js";

/** @typedef {import("../../../sheets/language.js").Language} Language */
/** @typedef {import("../../../shim/sheets.js").SheetContent} SheetContent */
/** @typedef {import("../../../sheets/frame.js").SheetParts} SheetParts */

/**
 * The content of a payment sheet. `price` is due now; with an `offer`, it is the price of the offer.
 * @typedef {{product: JSProduct, name: string, account: {name: string, email: string}, storefront: {countryCode: string},
 *   price: JSPrice, offer?: Offer, method?: string}} PaymentContent
 */

/**
 * The terms of an offer. With `payAsYouGo` the price is due for each period, otherwise once for the whole `duration`.
 * @typedef {{paymentMode: "free" | "payAsYouGo" | "payUpFront", period: JSPeriod, numberOfPeriods: number, duration: JSPeriod}} Offer
 */

/**
 * @param {PaymentContent} content
 * @param {Language} language
 * @param {SheetContent} sheet
 * @returns {SheetParts}
 */
function paymentSheet(content, language, { waitsFor }) {
  const { product, name, offer, price } = content;
  const { words, priceText, rhythmText } = language;
  const { localizedDescription, subscriptionPeriod } = product;
  const rows = paymentRows(content, language);
  const isAsking = waitsFor === "approval";
  let validity = rhythmText(subscriptionPeriod);
  if (offer) {
    rows.unshift([words.then, fill(words.thenPrice, { price: priceText(product.price), rhythm: validity })]);
    validity = offerText(offer, language);
  }
  return {
    title: fill(isAsking ? words.askTitle : words.buyTitle, { product: name }),
    description: localizedDescription,
    icon: productIcon(product, name),
    body: [priceLine(language, price, validity), facts(rows)],
    confirm: isAsking ? words.ask : words.buy,
    cancel: words.cancel,
    note: words.purchaseNote,
    approved: expectOutcome,
  };
}

/**
 * @param {Offer} offer
 * @param {Language} language
 * @returns {string} such as "for the first month" or "per month, for the first 3 months"
 */
function offerText({ duration, numberOfPeriods, paymentMode, period }, { listText, periodText, rhythmText, words }) {
  const first = duration.numberOfUnits === 1
    ? words.firstOne[duration.unit] : fill(words.first, { period: periodText(duration) });
  return paymentMode === "payAsYouGo" && numberOfPeriods > 1 ? listText([rhythmText(period), first]) : first;
}

/**
 * Makes the rows for the account, the payment method and the storefront.
 * @param {Pick<PaymentContent, "account" | "storefront" | "method">} content
 * @param {Language} language
 * @returns {[string, string][]}
 */
export function paymentRows({ account, storefront, method }, { words, countryText }) {
  /** @type {[string, string][]} */
  const rows = [[words.account, account.email], [words.country, countryText(storefront)]];
  if (method) rows.unshift([words.payWith, method]);
  return rows;
}

sheetKinds.payment = paymentSheet;
