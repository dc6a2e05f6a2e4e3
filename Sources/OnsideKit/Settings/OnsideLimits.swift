/// How much a session's pages may add to the store. More is refused.
public struct OnsideLimits: Sendable, Hashable {
  /// The maximum number of unfinished transactions when a page buys.
  public var transactions = 1000
  /// The maximum number of orders of a session when a page buys.
  public var orders = 20_000

  /// The maximum length of an `appAccountToken` in bytes. Each transaction and order keeps it.
  static let tokenBytes = 4096
  /// The maximum length of the URL of a visit in bytes.
  static let urlBytes = 16_384
  /// The maximum length of a country code in bytes. No country has a longer one.
  static let countryCodeBytes = 16

  /// The default limits.
  public init() {}
}
