/// How much a session's pages may have the store keep. What is above is refused.
public struct OnsideLimits: Sendable, Hashable {
  /// How many transactions may be unfinished when a page buys.
  public var transactions = 1000
  /// How many orders a session may have when a page buys.
  public var orders = 20_000

  /// The longest `appAccountToken`, in bytes: it is kept with each transaction and order.
  static let tokenBytes = 4096
  /// The longest URL of a visit that is kept, in bytes.
  static let urlBytes = 16_384
  /// The longest country code that is kept, in bytes: more than there is in any country's.
  static let countryCodeBytes = 16

  /// The usual bounds.
  public init() {}
}
