/// Why bytes are not the JSON that was expected.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, as the end of the sentence "… at byte N".
  public let reason: String
  /// Where, in bytes from the start.
  public let offset: Int

  /// Creates an error.
  public init(_ reason: String, offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// The reason and the place.
  public var description: String { "\(reason) at byte \(offset)" }
}
