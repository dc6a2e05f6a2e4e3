import BridgeCore
import BridgeRuntime

/// The kind and the content of a native sheet, without the parts that all sheets share.
struct OnsideSheet {
  let kind: OnsideScreen
  let content: [String: JSONValue]

  /// Asks who signs in. The answer's fields are `account` and `method`.
  @BridgeActor
  static func login(_ launch: OnsideLaunch, accounts: [OnsideAccount]) -> OnsideSheet {
    let methods = launch.configuration.loginMethods.filter {
      $0.kind.isLocal || !launch.shouldForceLocalLoginMethods
    }
    return OnsideSheet(
      kind: .login,
      content: [
        "title": "Sign in to Onside",
        "methods": .array(
          methods.map { ["id": .string($0.id), "label": .string($0.label), "kind": .string($0.kind.rawValue)] }),
        "accounts": .array(
          accounts.map {
            [
              "id": .string($0.id), "name": .string($0.name), "email": .string($0.email),
              "countryCode": .string($0.countryCode),
            ]
          }),
      ])
  }

  /// Asks for the payment of a product.
  static func payment(
    product: OnsideProduct,
    price: OnsidePrice,
    account: OnsideAccount,
    storefront: OnsideStorefront
  ) -> OnsideSheet {
    OnsideSheet(
      kind: .payment,
      content: [
        "product": product.json,
        "account": ["name": .string(account.name), "email": .string(account.email)],
        "storefront": ["countryCode": .string(storefront.countryCode)],
        "price": price.json,
      ])
  }

  /// Asks whether to buy at another price (products guide, "How the SDK Protects Users During Purchase").
  static func priceChange(product: OnsideProduct, oldPrice: OnsidePrice, storefront: OnsideStorefront) -> OnsideSheet {
    OnsideSheet(
      kind: .priceChange,
      content: [
        "product": product.json, "oldPrice": oldPrice.json, "newPrice": product.price.json,
        "storefront": ["countryCode": .string(storefront.countryCode)],
      ])
  }

  /// Says that a product is not sold in the account's country.
  static func unavailable(product: OnsideProduct, storefront: OnsideStorefront) -> OnsideSheet {
    OnsideSheet(
      kind: .unavailable,
      content: ["product": product.json, "storefront": ["countryCode": .string(storefront.countryCode)]])
  }

  /// Lists the account's payment methods.
  static func paymentMethods(account: OnsideAccount, methods: [OnsidePaymentMethod]) -> OnsideSheet {
    OnsideSheet(
      kind: .paymentMethods,
      content: [
        "account": ["name": .string(account.name), "email": .string(account.email)],
        "methods": .array(methods.map { ["id": .string($0.id), "label": .string($0.label)] }),
      ])
  }
}
