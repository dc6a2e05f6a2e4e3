/// Text that must never be seen: it prints, debugs and mirrors as `(secret)`.
///
/// Not `Codable`, so that nothing that is encoded as a whole takes it along. Whoever has to write it down says ``reveal()``.
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
