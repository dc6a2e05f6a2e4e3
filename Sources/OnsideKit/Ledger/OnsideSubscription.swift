/// A subscription of an account that renews until it is cancelled. An account has at most one for each group.
public struct OnsideSubscription: Sendable, Hashable, Codable {
  /// The account that holds it.
  public let accountID: String
  /// Its group.
  public let groupIdentifier: String
  /// The product of the current period.
  public internal(set) var productIdentifier: String
  /// The order of the current period.
  public internal(set) var orderID: String
  /// The product from the next renewal on, after a change to a lower level.
  public internal(set) var nextProductIdentifier: String?
  /// Whether it renews when the period ends.
  public internal(set) var renewsAutomatically = true
  /// How many more periods cost the introductory price.
  public internal(set) var introductoryPeriodsLeft = 0
  /// Whether a renewal failed and is being retried.
  public internal(set) var isInBillingRetry = false
}
