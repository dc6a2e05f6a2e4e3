/// An account that can sign in to the store.
public struct OnsideAccount: Sendable, Hashable, Identifiable, Codable {
  /// Identifies the account, in sheets and in the store.
  public let id: String
  /// The person's name.
  public let name: String
  /// The person's e-mail address.
  public let email: String
  /// The account's country, ISO 3166-1 alpha-2. It determines the storefront.
  public internal(set) var countryCode: String
  /// The name of the account's family, whose members share some of what they buy; nil for none.
  public let family: String?

  /// Creates an account.
  public init(id: String, name: String, email: String, countryCode: String, family: String? = nil) {
    self.family = family
    self.id = id
    self.name = name
    self.email = email
    self.countryCode = countryCode
  }
}
