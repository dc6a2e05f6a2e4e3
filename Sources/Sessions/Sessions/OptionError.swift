/// An option, or a value in a file or a body, is wrong.
public struct OptionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, where, and what to write instead.
  public let description: String

  /// Creates an error with sentences for people.
  public init(_ description: String) {
    self.description = description
  }
}
