/**
 * What a sheet tells of a payment. `price` is due now; for a subscription, it may be the introductory price.
 * @typedef {{product: JSProduct, name: string, account: {name: string, email: string}, storefront: {countryCode: string},
 *   price: JSPrice, method?: string}} PaymentContent
 */

/**
 * @param {PaymentContent} content
 * @param {Language} language
 * @param {SheetContent} sheet
 * @returns {SheetParts}
 */
function paymentSheet(content, language, { waitsFor }) {
  const { product, name, price } = content;
  const { words, periodText, priceText, rhythmText } = language;
  const { introductoryPrice, localizedDescription, subscriptionPeriod } = product;
  const rows = paymentRows(content, language);
  const isAsking = waitsFor === "approval";
  let validity = rhythmText(subscriptionPeriod);
  if (introductoryPrice && introductoryPrice.price.value === price.value && price.value !== product.price.value) {
    rows.unshift([words.then, fill(words.thenPrice, { price: priceText(product.price), rhythm: validity })]);
    const { period } = introductoryPrice;
    validity = period.numberOfUnits === 1
      ? words.firstOne[period.unit] : fill(words.first, { period: periodText(period) });
  }
  return {
    title: fill(isAsking ? words.askTitle : words.buyTitle, { product: name }),
    description: localizedDescription,
    icon: productIcon(product, name),
    body: [priceLine(language, price, validity), facts(rows)],
    confirm: isAsking ? words.ask : words.buy,
    cancel: words.cancel,
    note: words.purchaseNote,
  };
}

/**
 * Who pays, how, and where.
 * @param {PaymentContent} content
 * @param {Language} language
 * @returns {[string, string][]}
 */
function paymentRows({ account, storefront, method }, { words, countryText }) {
  /** @type {[string, string][]} */
  const rows = [[words.account, account.email], [words.country, countryText(storefront)]];
  if (method) rows.unshift([words.payWith, method]);
  return rows;
}
