/// Who answers sheets (`--present`).
public enum PresentationMode: String, Sendable, Codable, CaseIterable {
  /// The person in the page; the control API may, too.
  case page
  /// The control API alone.
  case control
  /// Nobody: every sheet is approved at once.
  case auto
}
