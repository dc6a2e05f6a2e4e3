import BridgeCore
import BridgeRuntime

/// The kind and the content of a native sheet, without the parts that all sheets share.
struct OnsideSheet: Equatable {
  let kind: OnsideScreen
  let content: SheetContent

  init(kind: OnsideScreen, content: SheetContent) {
    self.kind = kind
    self.content = content
  }

  init(kind: OnsideScreen, content: [String: JSONValue]) {
    self.init(kind: kind, content: .members(content))
  }

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
        "store": "Onside",
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
  @BridgeActor
  static func payment(
    _ launch: OnsideLaunch, product: OnsideProduct, charge: OnsideCharge, account: OnsideAccount,
    storefront: OnsideStorefront
  ) -> OnsideSheet {
    let configuration = launch.$configuration
    return OnsideSheet(
      kind: .payment,
      content: .later { configuration.wrappedValue.paymentContent(product, charge, account, storefront) })
  }

  /// Asks whether to buy at another price (products guide, "How the SDK Protects Users During Purchase"). Approving it buys the product.
  @BridgeActor
  static func priceChange(
    _ launch: OnsideLaunch, product: OnsideProduct, oldPrice: OnsidePrice, newPrice: OnsidePrice,
    charge: OnsideCharge, account: OnsideAccount, storefront: OnsideStorefront
  ) -> OnsideSheet {
    var content = launch.configuration.paymentContent(product, charge, account, storefront)
    content["oldPrice"] = oldPrice.json
    content["newPrice"] = newPrice.json
    return OnsideSheet(kind: .priceChange, content: content)
  }

  /// Asks for consent to a higher price of a subscription; nil if no increase is pending.
  @BridgeActor
  static func priceIncrease(
    _ launch: OnsideLaunch, of subscription: OnsideSubscription, _ order: OnsidePurchase
  ) -> OnsideSheet? {
    guard let increase = subscription.priceIncrease, let start = launch.startOfIncrease(subscription, order),
      let account = launch.accounts.first(where: { $0.id == subscription.accountID })
    else { return nil }
    let storefront = launch.makeStorefront(in: order.countryCode)
    let product = launch.product(of: order, in: storefront)
    return OnsideSheet(
      kind: .priceIncrease,
      content: [
        "product": product.json, "name": .string(launch.configuration.name(of: product)),
        "oldPrice": launch.renewalPrice(of: subscription, order).json, "newPrice": increase.price.json,
        "renewsAt": .number(start.rounded(.down)),
        "account": ["name": .string(account.name), "email": .string(account.email)],
        "storefront": ["countryCode": .string(storefront.countryCode)],
      ])
  }

  /// Says that a product is not sold in the account's country.
  @BridgeActor
  static func unavailable(_ launch: OnsideLaunch, product: OnsideProduct, storefront: OnsideStorefront) -> OnsideSheet {
    OnsideSheet(
      kind: .unavailable,
      content: [
        "product": product.json, "name": .string(launch.configuration.name(of: product)),
        "storefront": ["countryCode": .string(storefront.countryCode)],
      ])
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

extension OnsideConfiguration {
  /// The content of a payment's sheet: the product, the price that is due now, the account and its payment method.
  fileprivate func paymentContent(
    _ product: OnsideProduct, _ charge: OnsideCharge, _ account: OnsideAccount, _ storefront: OnsideStorefront
  ) -> [String: JSONValue] {
    var content: [String: JSONValue] = [
      "product": product.json,
      "name": .string(name(of: product)),
      "price": charge.price.json,
      "account": ["name": .string(account.name), "email": .string(account.email)],
      "storefront": ["countryCode": .string(storefront.countryCode)],
    ]
    let subscription = catalogue[product.productIdentifier]?.subscription
    if let offer = charge.offer(of: subscription) {
      content["offer"] = [
        "paymentMode": .string(offer.paymentMode.rawValue), "period": offer.period.json,
        "numberOfPeriods": .number(Double(offer.numberOfPeriods)), "duration": offer.duration.json,
      ]
    }
    if let method = paymentMethods.first { content["method"] = .string(method.label) }
    return content
  }

  /// The name of a product for people: the localized one, the reference name of the catalogue, or the identifier.
  fileprivate func name(of product: OnsideProduct) -> String {
    [product.localizedTitle, catalogue[product.productIdentifier]?.referenceName ?? ""]
      .first { $0.contains { !$0.isWhitespace } } ?? product.productIdentifier
  }
}
