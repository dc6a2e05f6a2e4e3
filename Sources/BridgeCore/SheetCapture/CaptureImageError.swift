/// Why bytes or fields are no image that a capture may give.
public struct CaptureImageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, as a sentence.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
