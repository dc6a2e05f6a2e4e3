/**
 * @param {{product: JSProduct, name: string, storefront: {countryCode: string}}} content
 * @param {Language} language
 * @returns {SheetParts}
 */
function unavailableSheet({ product, name, storefront }, { words, countryText }) {
  return {
    title: fill(words.unavailableTitle, { product: name }),
    description: fill(words.unavailableText, { country: countryText(storefront) }),
    icon: productIcon(product, name),
    body: [],
    cancel: words.ok,
    note: words.purchaseNote,
  };
}
