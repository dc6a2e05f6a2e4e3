/// What only recurring subscriptions have.
public struct CatalogueSubscription: Sendable, Hashable {
  /// The id of the group; of one group a person holds one subscription at a time.
  public let groupIdentifier: String
  /// The level within the group; 1 is the highest. Moving to a lower number is an upgrade.
  public let groupNumber: Int
  /// How long the subscription lasts before it renews.
  public let period: OnsidePeriod
  /// The offer for new subscribers of the group.
  public let introductoryOffer: CatalogueOffer?
  /// Offers for present and former subscribers, in the file's order.
  public let promotionalOffers: [CatalogueOffer]
  /// Offers for former subscribers, in the file's order.
  public let winBackOffers: [CatalogueOffer]
}
