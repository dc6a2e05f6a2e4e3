/// What is wrong with a `.storekit` file. Whoever read the file adds its name.
public struct StoreKitConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where in the document, such as `$.products[2].displayPrice`; `$` is the document itself.
  public let path: String
  /// What was expected there, such as `a string`.
  public let expected: String
  /// What was there instead, such as `a number`.
  public let found: String

  /// A sentence for people: where, what was found and what to write instead.
  public var description: String { "\(path): found \(found), expected \(expected)." }
}
