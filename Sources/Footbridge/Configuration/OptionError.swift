/// An option that cannot be used.
public struct OptionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, where, and what would be right.
  public let description: String

  /// Creates an error, of sentences for people.
  public init(_ description: String) {
    self.description = description
  }
}
