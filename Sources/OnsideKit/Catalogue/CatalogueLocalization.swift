/// A product's texts in one language.
public struct CatalogueLocalization: Sendable, Hashable {
  /// The locale's identifier, such as `en_US`.
  public let locale: String
  /// The product's name.
  public let displayName: String
  /// What the product is.
  public let description: String

  /// The language subtag of ``locale``, lower-case.
  var language: String { String(locale.prefix { $0 != "_" && $0 != "-" }).lowercased() }

  /// The region subtag of ``locale``, upper-case, if it has one.
  var region: String? {
    let subtags = locale.split(whereSeparator: { $0 == "_" || $0 == "-" }).dropFirst()
    return subtags.first { $0.count == 2 }.map { $0.uppercased() }
  }
}
