/// A text that must not be printed, such as a token. Its descriptions are `(secret)`, and its mirror has no children.
///
/// It is not `Codable`, so that no value that contains it can be encoded by accident. To read the text, call
/// ``reveal()``.
public struct Secret: Sendable, Hashable {
  private let text: String

  /// Hides `text`.
  public init(_ text: String) {
    self.text = text
  }

  /// The text itself.
  public func reveal() -> String { text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `(secret)`.
  public var description: String { "(secret)" }
  /// `(secret)`.
  public var debugDescription: String { description }
  /// No parts.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
