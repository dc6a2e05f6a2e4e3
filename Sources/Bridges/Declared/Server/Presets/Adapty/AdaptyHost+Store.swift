import InAppPurchases
import BridgeCore
import BridgeRuntime
import Sessions

/// The requests about paywalls, products and purchases.
extension AdaptyHost {
  private static let mostProducts = 1000

  /// Answers a request; nil if it is none of these.
  func answerOfStore(_ request: AdaptyRequest) async throws(AdaptyError) -> JSONValue? {
    switch request.method {
    case "get_paywall", "get_paywall_for_default_audience": return try await paywall(request)
    case "get_paywall_products": return try await products(request)
    case "make_purchase": return try await purchase(request)
    case "restore_purchases": return try await restore(request)
    case "report_transaction":
      let id = try request.text("transaction_id")
      guard let transaction = session.store?.transactions.first(where: { $0.id == id }) else {
        throw AdaptyError(1030, "There is no transaction \(id.prefix(100)).")
      }
      deliver(transaction)
      tellProfile()
      return true
    case "get_onboarding", "get_onboarding_for_default_audience":
      throw AdaptyError(2003, "There is no onboarding: they are not played.")
    case "adapty_ui_create_paywall_view", "adapty_ui_create_onboarding_view":
      throw .wrongParameter("The paywall was not made with the paywall builder.")
    case "open_web_paywall", "create_web_paywall_url":
      throw .wrongParameter("The paywall has no page in the web.")
    case let method where method.hasPrefix("adapty_ui_"): throw .wrongParameter("There is no such view.")
    default: return nil
    }
  }

  private func store() throws(AdaptyError) -> any InAppStore {
    guard let store = session.store else { throw AdaptyError(.noStore, in: .products) }
    return store
  }

  private func loaded(_ identifiers: [String]?) async throws(AdaptyError) -> [InAppProduct] {
    let store = try store()
    do throws(InAppError) {
      return try await store.products(identifiers)
    } catch {
      throw AdaptyError(error, in: .products)
    }
  }

  // MARK: Paywalls

  private func paywall(_ request: AdaptyRequest) async throws(AdaptyError) -> JSONValue {
    let placement = try request.text("placement_id")
    let locale = request.members["locale"]?.stringValue ?? "en"
    guard let paywall = options.paywall(of: placement) else {
      throw AdaptyError(2003, "There is no placement \(placement.prefix(100)).")
    }
    let known: [InAppProduct]
    if let products = paywall.products {
      // The dashboard knows them, whatever the store says.
      known = (try? await session.store?.products(products.map(\.product))) ?? []
    } else {
      known = try await loaded(nil)
    }
    let types = Dictionary(known.map { ($0.id, $0.adaptyType) }, uniquingKeysWith: { $1 })
    let products = paywall.products ?? known.map { AdaptyOptions.Product(product: $0.id) }
    let references = products.map { product -> JSONValue in
      var members: [String: JSONValue] = [
        "vendor_product_id": .string(product.product), "adapty_product_id": .string(product.product),
        "access_level_id": .string(options.accessLevel(of: product.product)),
        "product_type": .string(types[product.product] ?? "uncategorised"),
      ]
      members["promotional_offer_id"] = product.promotionalOffer.map { .string($0) }
      members["win_back_offer_id"] = product.winBackOffer.map { .string($0) }
      return .object(members)
    }
    let name = JSONValue.string(paywall.name)
    var members: [String: JSONValue] = [
      "placement": [
        "developer_id": .string(placement), "audience_name": "All Users", "revision": 1, "ab_test_name": name,
        "is_tracking_purchases": true, "placement_audience_version_id": .string(placement),
      ],
      "paywall_id": name, "paywall_name": name, "variation_id": name, "products": .array(references),
      "response_created_at": .number(session.now.millisecondsSinceEpoch.rounded(.down)),
      "request_locale": .string(locale),
    ]
    if let config = paywall.remoteConfig {
      members["remote_config"] = ["lang": .string(locale), "data": .string(config.jsonText)]
    }
    return .object(members)
  }

  private func products(_ request: AdaptyRequest) async throws(AdaptyError) -> JSONValue {
    guard let paywall = request.members["paywall"], let references = paywall["products"]?.arrayValue,
      references.count <= Self.mostProducts
    else { throw .decoding("paywall.products") }
    let identifiers = references.compactMap { $0["vendor_product_id"]?.stringValue }
    guard identifiers.count == references.count else { throw .decoding("vendor_product_id") }
    let known = Dictionary(
      try await loaded(identifiers).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    if known.isEmpty { throw AdaptyError(1000, "The store sells no product of this paywall.") }
    let region = session.store?.storefront?.alpha2
    return .array(
      zip(references, identifiers).enumerated().compactMap { index, product in
        known[product.1]?.adapty(product.0, at: index, of: paywall, region: region)
      })
  }

  // MARK: Purchases

  private func purchase(_ request: AdaptyRequest) async throws(AdaptyError) -> JSONValue {
    guard let product = request.members["product"], let id = product["vendor_product_id"]?.stringValue else {
      throw .decoding("product.vendor_product_id")
    }
    let offer = product["subscription_offer_identifier"]
    let isIntroductory = offer?["type"] == "introductory"
    let store = try store()
    let outcome: InAppPurchase.Outcome
    do throws(InAppError) {
      outcome = try await store.purchase(
        InAppPurchase(
          productID: id, offerID: isIntroductory ? nil : offer?["id"]?.stringValue, appAccountToken: appAccountToken),
        for: request.page.hostID)
    } catch {
      if error.code == .cancelled { return ["type": "user_cancelled"] }
      throw AdaptyError(error, in: .purchase)
    }
    guard case .purchased(let transaction) = outcome else { return ["type": "pending"] }
    deliver(transaction)
    tellProfile()
    var members: [String: JSONValue] = ["type": "success", "profile": profile]
    members["apple_jws_transaction"] = (try? await store.signed(transaction)).map { .string($0) }
    return .object(members)
  }

  private func restore(_ request: AdaptyRequest) async throws(AdaptyError) -> JSONValue {
    let store = try store()
    do throws(InAppError) {
      _ = try await store.restore(for: request.page.hostID)
    } catch {
      throw AdaptyError(error, in: .restore)
    }
    for transaction in store.unfinished { deliver(transaction) }
    tellProfile()
    return profile
  }
}
