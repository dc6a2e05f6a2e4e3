/// Who answers sheets (`--present`).
public enum PresentationMode: String, Sendable, Codable, CaseIterable {
  /// The person in the page. The control API can answer as well.
  case page
  /// The control API only.
  case control
  /// Nobody. Every sheet is approved at once.
  case auto
}
