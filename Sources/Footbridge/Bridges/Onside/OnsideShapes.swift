import OnsideKit

/// The shapes of what the promises of `window.onside` resolve with (bridge reference, "Types").
enum OnsideShapes {
  /// The shape of a call's result; nil for one that resolves with `undefined`.
  static func result(of call: OnsideCall) -> JSONShape? {
    switch call {
    case .loadProducts: .object(["products": .list(product), "invalidProductIdentifiers": .list(.text)])
    case .getTransactions: .list(transaction)
    case .getCurrentStorefront: .nullable(storefront)
    case .getAttributionMetadata: .object(["refererUrl?": .text])
    case .getSignedInAppsHistory: .object(["dataBase64": .text, "string?": .text])
    default: nil
    }
  }

  private static let price: JSONShape = .object(["value": .number, "currencyCode": .text])
  private static let period: JSONShape = .object([
    "unit": .words(["day", "week", "month", "year"]), "numberOfUnits": .number,
  ])
  private static let pricePeriod: JSONShape = .object(["price": price, "period": period])
  private static let storefront: JSONShape = .object(["id": .text, "countryCode": .text])
  private static let product: JSONShape = .object([
    "productIdentifier": .text, "localizedTitle": .text, "localizedDescription": .text, "iconUrl?": .text,
    "subscriptionGroupIdentifier?": .text, "subscriptionPeriod?": period, "price": price,
    "introductoryPrice?": pricePeriod, "discountedPrice?": pricePeriod,
  ])
  private static let transaction: JSONShape = .object([
    "id": .text, "transactionIdentifier?": .text, "originalTransactionIdentifier?": .text,
    "payment": .object(["product": product, "appAccountToken?": .text]),
    "transactionState": .words(["purchasing", "purchased", "restored", "failed"]), "storefront": storefront,
    "error?": .dictionary(.anyObject),
  ])
}
