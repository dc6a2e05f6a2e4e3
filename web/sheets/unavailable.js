/**
 * @param {{product: JSProduct, storefront: {countryCode: string}}} content
 * @returns {SheetParts}
 */
function unavailableSheet({ product, storefront }) {
  return {
    title: `${product.localizedTitle} is not available`,
    description: `It cannot be bought in ${countryText(storefront)}.`,
    icon: productIcon(product),
    body: [],
    cancel: "OK",
  };
}
