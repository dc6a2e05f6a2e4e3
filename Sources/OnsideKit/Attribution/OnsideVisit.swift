/// Where a session's first page came from.
public struct OnsideVisit: Sendable, Hashable, Codable {
  /// The page's URL.
  public let url: String
  /// The page's `document.referrer`; empty when there is none.
  public let referrer: String

  /// Creates a visit.
  public init(url: String, referrer: String) {
    self.url = url
    self.referrer = referrer
  }
}
