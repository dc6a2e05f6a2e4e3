/// What a payment costs now, as its sheet says. The person agrees to it, and nobody pays more.
struct OnsideCharge: Hashable, Codable {
  /// The price that is due now. For a subscription that the account has, which is not charged again, it is the price of its next period.
  let price: OnsidePrice
  /// Whether it is the price of the introductory offer.
  let isIntroductory: Bool
}
