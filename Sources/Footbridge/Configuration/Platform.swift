/// The platform that pages are told they run on (`--platform`).
public enum Platform: String, Sendable, CaseIterable {
  /// An iPhone or iPad.
  case ios
  /// A Mac.
  case macos
}
