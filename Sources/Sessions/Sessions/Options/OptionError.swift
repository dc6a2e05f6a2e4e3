/// An option, or a value in a file or a body, is wrong.
public struct OptionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A text for people that says what is wrong, where, and what to write instead.
  public let description: String

  /// Creates an error with this text.
  public init(_ description: String) {
    self.description = description
  }
}
