/// A higher price of a subscription that needs the person's consent. Names and meanings are those of StoreKitTest's `SKTestSession`.
public struct OnsidePriceIncrease: Sendable, Hashable, Codable {
  /// What the person has said.
  public enum Status: String, Sendable, Codable {
    /// Nothing yet. Without consent, the subscription ends when it would cost the new price. A renewal that has failed before is tried at the
    /// former price.
    case pending
    /// Yes: it renews at the new price.
    case agreed
    /// No: it no longer renews.
    case declined
  }

  /// The price of a period from the next renewal on; during an offer, from the first renewal at the usual price on.
  public let price: OnsidePrice
  /// What the person has said.
  public internal(set) var status = Status.pending
  /// The price of an earlier increase to which the person has consented; nil if there was none. It applies until there is consent to this one.
  var formerPrice: OnsidePrice?

  /// What a period costs now, if not what the catalogue says.
  var presentPrice: OnsidePrice? { status == .agreed ? price : formerPrice }

  /// Whether the subscription ends before it costs the new price, because the person has not consented.
  var endsSubscription: Bool { status != .agreed }
}

extension OnsideLedger {
  /// Makes a subscription more expensive from the next renewal on, if the person consents. An offer is not cut short. An earlier increase is
  /// replaced. Returns false if this is not the current or first order of a subscription that renews with the same product.
  mutating func requestPriceIncrease(_ orderID: String, to price: OnsidePrice) -> Bool {
    guard let present = subscription(order: orderID), present.renewsAutomatically,
      present.nextProductIdentifier == nil
    else { return false }
    updateSubscription(present.orderID) {
      $0.priceIncrease = OnsidePriceIncrease(price: price, formerPrice: $0.priceIncrease?.presentPrice)
    }
    return true
  }

  /// The person consents to the pending increase, or declines it, which turns the renewal off. Returns false if none is pending.
  mutating func answerPriceIncrease(_ orderID: String, consents: Bool) -> Bool {
    guard let present = subscription(order: orderID), present.priceIncrease?.status == .pending else { return false }
    updateSubscription(present.orderID) {
      $0.priceIncrease?.status = consents ? .agreed : .declined
      if !consents { $0.renewsAutomatically = false }
    }
    return true
  }
}
