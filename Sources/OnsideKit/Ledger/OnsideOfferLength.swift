/// How much time one order of an offer pays for: several periods if it was paid up front.
public struct OnsideOfferLength: Sendable, Hashable, Codable {
  /// The length of one period.
  public let period: OnsidePeriod
  /// How many periods the order pays for.
  public let numberOfPeriods: Int

  /// The length of the first order of an offer. With "pay as you go", each period is a separate order. Otherwise, the first order covers all
  /// periods.
  init(_ offer: CatalogueOffer) {
    period = offer.period
    numberOfPeriods = offer.paymentMode == .payAsYouGo ? 1 : offer.numberOfPeriods
  }
}
