const testPurchaseNote = "A test purchase: nothing is charged.";

/**
 * @param {{product: JSProduct, account: {name: string, email: string}, storefront: {countryCode: string},
 *   price: JSPrice}} content - `price` is what is due now, which for a subscription may be its introductory price
 * @returns {SheetParts}
 */
function paymentSheet({ product, account, storefront, price }) {
  const { introductoryPrice, localizedDescription, localizedTitle, subscriptionPeriod } = product;
  const rows = [fact("Account", account.email), fact("Country", countryText(storefront))];
  let validity = rhythmText(subscriptionPeriod);
  if (introductoryPrice && introductoryPrice.price.value === price.value && price.value !== product.price.value) {
    rows.unshift(fact("Then", `${priceText(product.price)} ${validity}`));
    validity = `for the first ${periodText(introductoryPrice.period).replace(/^1 /u, "")}`;
  }
  return {
    title: `Buy ${localizedTitle}?`,
    description: localizedDescription,
    icon: productIcon(product),
    body: [priceLine(price, validity), element("div", { class: "rows" }, ...rows)],
    confirm: "Buy",
    cancel: "Cancel",
    note: testPurchaseNote,
  };
}
