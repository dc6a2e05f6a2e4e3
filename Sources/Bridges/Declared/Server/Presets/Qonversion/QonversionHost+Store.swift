import InAppPurchases
import BridgeCore
import BridgeRuntime
import Sessions

/// The calls about products and purchases.
extension QonversionHost {
  private static let mostProducts = 1000

  /// Answers a call; nil if it is none of these.
  func answerOfStore(_ call: Call) async throws(QonversionError) -> JSONValue? {
    switch call.method {
    case "products": return .object(try await products().mapValues { $0.product.qonversion($0.id) })
    case "offerings": return try await offerings()
    case "checkTrialIntroEligibility": return try await eligibility(call)
    case "getPromotionalOffer": return try await promotionalOffer(call)
    case "purchase": return try await purchase(call)
    // No product is bought in the App Store.
    case "promoPurchase": throw .noProduct
    case "checkEntitlements": return entitlements
    case "restore":
      try await restore(call)
      return entitlements
    case "syncHistoricalData", "syncStoreKit2Purchases":
      deliverAll()
      tellEntitlements()
      return [:]
    default: return nil
    }
  }

  private func store() throws(QonversionError) -> any InAppStore {
    guard let store = session.store else { throw QonversionError(.noStore) }
    return store
  }

  private func deliverAll() {
    for transaction in session.store?.transactions ?? [] { deliver(transaction) }
  }

  /// The products that the store sells, by their ids in the dashboard.
  private func products() async throws(QonversionError) -> [String: (id: String, product: InAppProduct)] {
    let store = try store()
    let sold: [InAppProduct]
    do throws(InAppError) {
      sold = try await store.products(options.products.map { Array(Set($0.values)).sorted() })
    } catch {
      throw QonversionError(error)
    }
    let known = Dictionary(sold.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    guard let named = options.products else { return known.mapValues { ($0.id, $0) } }
    return named.reduce(into: [:]) { found, entry in
      found[entry.key] = known[entry.value].map { (entry.key, $0) }
    }
  }

  private func product(_ call: Call) async throws(QonversionError) -> InAppProduct {
    let id = try call.text("productId")
    guard let found = try await products()[id] else { throw .noProduct }
    return found.product
  }

  private func offerings() async throws(QonversionError) -> JSONValue {
    let products = try await products()
    let declared = options.offerings ?? [("main", products.keys.sorted())]
    guard !declared.isEmpty else { throw QonversionError("OfferingsNotAvailable", "There is no offering.") }
    let all = declared.enumerated().map { index, offering -> JSONValue in
      [
        "id": .string(offering.id), "tag": index == 0 ? 1 : 0,
        "products": .array(
          offering.products.compactMap { products[$0] }.map { $0.product.qonversion($0.id, offering: offering.id) }),
      ]
    }
    return ["main": all[0], "availableOfferings": .array(all)]
  }

  private func eligibility(_ call: Call) async throws(QonversionError) -> JSONValue {
    guard let ids = call["ids"]?.arrayValue?.compactMap(\.stringValue), ids.count <= Self.mostProducts else {
      throw .missing
    }
    let products = try await products()
    let statuses = ids.map { id -> (String, JSONValue) in
      let subscription = products[id]?.product.subscription
      let status =
        if products[id] == nil {
          "unknown"
        } else if subscription?.introductoryOffer == nil {
          "non_intro_or_trial_product"
        } else if subscription?.isEligibleForIntroductoryOffer == true {
          "intro_or_trial_eligible"
        } else {
          "intro_or_trial_ineligible"
        }
      return (id, ["status": .string(status)])
    }
    return .object(Dictionary(statuses, uniquingKeysWith: { $1 }))
  }

  private func promotionalOffer(_ call: Call) async throws(QonversionError) -> JSONValue {
    let product = try await product(call)
    let id = try call.text("discountId")
    guard let subscription = product.subscription,
      let offer = subscription.promotionalOffers.first(where: { $0.id == id })
    else { throw .noProduct }
    return [
      "productDiscount": offer.qonversion,
      "paymentDiscount": [
        "identifier": .string(id), "keyIdentifier": "FOOTBRIDGE", "nonce": .string(session.randomUUID()),
        "signature": .string(session.randomHexadecimal()),
        "timestamp": .number(session.now.millisecondsSinceEpoch.rounded(.down)),
      ],
    ]
  }

  private func purchase(_ call: Call) async throws(QonversionError) -> JSONValue {
    let product = try await product(call)
    let store = try store()
    let signed = call["promoOffer"]
    let isWhole = ["keyIdentifier", "nonce", "signature"].allSatisfy { signed?[$0]?.stringValue != nil }
    let offer = isWhole ? signed?["productDiscountId"]?.stringValue : nil
    let outcome: InAppPurchase.Outcome
    do throws(InAppError) {
      outcome = try await store.purchase(InAppPurchase(productID: product.id, offerID: offer), for: call.page.hostID)
    } catch {
      let isCancelled = error.code == .cancelled
      return [
        "status": isCancelled ? "UserCanceled" : "Error", "isFallbackGenerated": false, "source": "Api",
        "error": QonversionError(error).json,
      ]
    }
    guard case .purchased(let transaction) = outcome else {
      return ["status": "Pending", "isFallbackGenerated": false, "source": "Api"]
    }
    deliver(transaction)
    return result(of: transaction)
  }

  private func restore(_ call: Call) async throws(QonversionError) {
    let store = try store()
    do throws(InAppError) {
      _ = try await store.restore(for: call.page.hostID)
    } catch {
      throw QonversionError(error)
    }
    deliverAll()
  }
}
