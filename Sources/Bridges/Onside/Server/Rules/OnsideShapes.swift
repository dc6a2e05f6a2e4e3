import OnsideKit
import Sessions

/// The shapes of the data of `window.onside`: of calls, callbacks, sheets and the results of promises (bridge reference, "Types").
enum OnsideShapes {
  /// The shape of a call's result; nil for a call that resolves with `undefined`.
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

  /// The shape of a call's parameters, or of the data of a payment for rules.
  static func data(of call: OnsideCall) -> JSONShape {
    switch call {
    case .initializeOnside: .object(["version": .text])
    case .setAppearance: .object(["theme": .text])
    case .setShouldForceLocalLoginMethods: .object(["force": .flag])
    case .setDefaultCountryCodeAssumption: .object(["countryCode": .text])
    case .trackEvent: .object(["name": .text, "parameters?": .anyObject])
    case .loadProducts: .object(["productIdentifiers": .list(.text)])
    case .purchase: .object(["productIdentifier": .text, "appAccountToken?": .text])
    case .payment: .object(["productIdentifier": .text, "appAccountToken?": .text, "transaction": .text])
    case .finishTransaction: .object(["id": .text])
    case .requestLogin, .logout, .presentPaymentMethodsManager, .getCurrentStorefront, .restoreCompletedTransactions,
      .restore, .getTransactions, .getAttributionMetadata, .getSignedInAppsHistory:
      .object([:])
    }
  }

  /// The shape of a callback's data.
  static func data(of callback: OnsideCallback) -> JSONShape {
    let shapes: [String: JSONShape] = [
      "transactions": .list(transaction), "transaction": transaction, "error": .dictionary(.anyObject),
      "storefront": callback == .onStorefrontChanged ? .nullable(storefront) : storefront,
    ]
    return .object(shapes.filter { callback.members.contains($0.key) })
  }

  /// The shape of the content of sheets with these members.
  static func sheet(_ members: [String]) -> JSONShape {
    let shapes: [String: JSONShape] = [
      "product": product, "name": .text, "title": .text, "store": .text, "method?": .text, "oldPrice": price,
      "newPrice": price,
      "price": price, "storefront": .object(["countryCode": .text]), "offer?": .anyObject, "theme?": .text,
      "renewsAt": .number, "methods": .list(.anyObject), "accounts": .list(.anyObject), "account": .anyObject,
    ]
    return .object(shapes.filter { members.contains(JSONShape.name($0.key)) })
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
