/**
 * @param {{product: JSProduct, account: {name: string, email: string}, storefront: {countryCode: string},
 *   price: JSPrice}} content - `price` is due now; for a subscription, it may be the introductory price
 * @param {Language} language
 * @returns {SheetParts}
 */
function paymentSheet({ product, account, storefront, price }, language) {
  const { words, countryText, periodText, priceText, rhythmText } = language;
  const { introductoryPrice, localizedDescription, subscriptionPeriod } = product;
  /** @type {[string, string][]} */
  const rows = [[words.account, account.email], [words.country, countryText(storefront)]];
  let validity = rhythmText(subscriptionPeriod);
  if (introductoryPrice && introductoryPrice.price.value === price.value && price.value !== product.price.value) {
    rows.unshift([words.then, fill(words.thenPrice, { price: priceText(product.price), rhythm: validity })]);
    const { period } = introductoryPrice;
    validity = period.numberOfUnits === 1
      ? words.firstOne[period.unit] : fill(words.first, { period: periodText(period) });
  }
  return {
    title: fill(words.buyTitle, { product: productName(product) }),
    description: localizedDescription,
    icon: productIcon(product),
    body: [priceLine(language, price, validity), facts(rows)],
    confirm: words.buy,
    cancel: words.cancel,
    note: words.purchaseNote,
  };
}
