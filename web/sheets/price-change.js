/**
 * @param {{product: JSProduct, oldPrice: JSPrice, newPrice: JSPrice,
 *   storefront: {countryCode: string}}} content
 * @returns {SheetParts}
 */
function priceChangeSheet({ product, oldPrice, newPrice, storefront }) {
  return {
    title: `New price for ${product.localizedTitle}`,
    description: `The price is different in ${countryText(storefront)}.`,
    icon: productIcon(product),
    body: [priceLine(newPrice, rhythmText(product.subscriptionPeriod), oldPrice)],
    confirm: "Buy",
    cancel: "Cancel",
    note: testPurchaseNote,
  };
}
