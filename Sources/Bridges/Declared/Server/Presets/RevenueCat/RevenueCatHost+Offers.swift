import BridgeCore
import BridgeRuntime
import Sessions

/// The calls about offers: who can have them, and the signature of a promotional one.
extension RevenueCatHost {
  /// The work of a method about offers; nil if it is none.
  func offerWork(of method: String) -> Work? {
    switch method {
    case "getPromotionalOffer": promotionalOffer
    case "getEligibleWinBackOffersForProduct":
      { call async throws(RevenueCatError) in try await self.winBackOffers(of: try self.productID(call, "product")) }
    case "getEligibleWinBackOffersForPackage":
      { call async throws(RevenueCatError) in
        guard let id = call["aPackage"]?["product"]?["identifier"]?.stringValue else { throw .missing("aPackage") }
        return try await self.winBackOffers(of: id)
      }
    case "checkTrialOrIntroductoryPriceEligibility": eligibility
    default: nil
    }
  }

  private func eligibility(_ call: Call) async throws(RevenueCatError) -> JSONValue {
    let identifiers = try identifiers(call)
    let known = Dictionary(
      try await loaded(identifiers).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let results = identifiers.map { id -> (String, JSONValue) in
      let subscription = known[id]?.subscription
      let (status, description): (Double, String) =
        if known[id] == nil {
          (0, "There is no such product.")
        } else if subscription?.introductoryOffer == nil {
          (3, "The product has no introductory offer.")
        } else if subscription?.isEligibleForIntroductoryOffer == true {
          (2, "The account can have the introductory offer.")
        } else {
          (1, "The account cannot have the introductory offer.")
        }
      return (id, ["status": .number(status), "description": .string(description)])
    }
    return .object(Dictionary(results, uniquingKeysWith: { first, _ in first }))
  }

  private func promotionalOffer(_ call: Call) async throws(RevenueCatError) -> JSONValue {
    let product = try await product(try productID(call, "product"))
    let id = try productID(call, "discount")
    guard let subscription = product.subscription, subscription.promotionalOffers.contains(where: { $0.id == id })
    else {
      throw .notAvailable("\(product.id) has no promotional offer \(id.prefix(100)).")
    }
    guard subscription.hasBeenSubscribed else {
      throw RevenueCatError(code: 18, "Promotional offers are for present and former subscribers.")
    }
    // The time is the name of the offer, so no two have the same.
    var time = session.now.millisecondsSinceEpoch.rounded(.down)
    while promotionalOffers[time] != nil { time += 1 }
    if promotionalOffers.count >= 1000 { promotionalOffers = [:] }
    promotionalOffers[time] = id
    return [
      "identifier": .string(id), "keyIdentifier": "FOOTBRIDGE", "nonce": .string(session.randomUUID()),
      "signature": .string(session.randomHexadecimal()), "timestamp": .number(time),
    ]
  }

  func signedOffer(_ call: Call) throws(RevenueCatError) -> String {
    guard let time = call["discount"]?["timestamp"]?.numberValue else { throw .missing("discount.timestamp") }
    guard let offer = promotionalOffers[time] else { throw .notAvailable("There is no such promotional offer.") }
    return offer
  }

  func winBackOffer(_ call: Call) throws(RevenueCatError) -> String { try productID(call, "winBackOffer") }

  private func winBackOffers(of id: String) async throws(RevenueCatError) -> JSONValue {
    let subscription = try await product(id).subscription
    let isEligible = subscription.map { $0.hasBeenSubscribed && !$0.isSubscribed } ?? false
    return ["eligibleWinBackOffers": .array(isEligible ? subscription?.winBackOffers.map(\.revenueCat) ?? [] : [])]
  }
}
