/**
 * @param {{product: JSProduct, oldPrice: JSPrice, newPrice: JSPrice,
 *   storefront: {countryCode: string}}} content
 * @param {Language} language
 * @returns {SheetParts}
 */
function priceChangeSheet({ product, oldPrice, newPrice, storefront }, { words, countryText, priceText, rhythmText }) {
  const [before, after] = [priceText(oldPrice), priceText(newPrice)];
  const change = element("p", { class: "price change" }, fill(words.priceChange, { old: before, new: after }));
  const rhythm = rhythmText(product.subscriptionPeriod);
  if (rhythm) change.append(" ", element("span", {}, rhythm));
  return {
    title: fill(words.newPriceTitle, { product: productName(product) }),
    description: fill(words.newPriceText, { country: countryText(storefront) }),
    icon: productIcon(product),
    body: [change],
    confirm: fill(words.continueAt, { price: after }),
    cancel: words.cancel,
    note: words.purchaseNote,
  };
}
