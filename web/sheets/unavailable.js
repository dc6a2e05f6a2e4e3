/**
 * @param {{product: JSProduct, storefront: {countryCode: string}}} content
 * @param {Language} language
 * @returns {SheetParts}
 */
function unavailableSheet({ product, storefront }, { words, countryText }) {
  return {
    title: fill(words.unavailableTitle, { product: productName(product) }),
    description: fill(words.unavailableText, { country: countryText(storefront) }),
    icon: productIcon(product),
    body: [],
    cancel: words.ok,
    note: words.purchaseNote,
  };
}
