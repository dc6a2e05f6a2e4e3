/// A native screen that waits for someone's answer: login, payment, payment methods, price change, capture.
public struct Sheet: Sendable, Identifiable, Hashable {
  /// Identifies the sheet in its session.
  public let id: String
  /// What kind of screen this is, such as `login` or `payment`.
  public let kind: String
  /// What the screen shows; its members depend on ``kind``.
  public let content: [String: JSONValue]

  /// Creates a sheet.
  public init(id: String, kind: String, content: [String: JSONValue]) {
    self.id = id
    self.kind = kind
    self.content = content
  }
}
