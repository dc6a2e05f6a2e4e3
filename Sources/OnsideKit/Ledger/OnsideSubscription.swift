/// A subscription of an account that renews until it is cancelled; one per account and group.
public struct OnsideSubscription: Sendable, Hashable, Codable {
  /// Whose it is.
  public let accountID: String
  /// Its group.
  public let groupIdentifier: String
  /// The product of the present period.
  public internal(set) var productIdentifier: String
  /// The order of the present period.
  public internal(set) var orderID: String
  /// The product from the next renewal on, when the person moved to a lower level.
  public internal(set) var nextProductIdentifier: String?
  /// Whether it renews when the period ends.
  public internal(set) var renewsAutomatically = true
  /// How many more periods cost the introductory price.
  public internal(set) var introductoryPeriodsLeft = 0
  /// Whether a renewal could not be charged and is tried again.
  public internal(set) var isInBillingRetry = false
}
