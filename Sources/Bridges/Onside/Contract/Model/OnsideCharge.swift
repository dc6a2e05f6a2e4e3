/// What a payment costs now, as its sheet says. The person agrees to it, and nobody pays more.
struct OnsideCharge: Hashable, Codable {
  /// The price that is due now. For a subscription that the account has, which is not charged again, it is the price of its next period.
  let price: OnsidePrice
  /// Whether it is the price of the introductory offer.
  let isIntroductory: Bool
  /// The promotional or win-back offer whose price it is; nil for none.
  var offerID: String?

  /// The offer whose price it is; nil for the usual price.
  func offer(of subscription: CatalogueSubscription?) -> CatalogueOffer? {
    isIntroductory || offerID != nil ? subscription?.offer(offerID) : nil
  }
}
