/// The selected storefront (bridge reference, "JSStorefront").
public struct OnsideStorefront: Sendable, Hashable, Codable {
  /// Opaque; stable during one launch only.
  public let id: String
  /// ISO 3166-1 alpha-2.
  public let countryCode: String

  /// Creates a storefront.
  public init(id: String, countryCode: String) {
    self.id = id
    self.countryCode = countryCode
  }
}
