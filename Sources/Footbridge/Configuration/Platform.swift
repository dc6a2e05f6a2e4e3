import Today

/// The platform that pages are told they run on (`--platform`).
public enum Platform: String, Sendable, Codable, CaseIterable {
  /// An iPhone or iPad.
  case ios
  /// A Mac.
  case macos

  /// The platform as Today's events name it.
  var today: TodayPlatform { self == .macos ? .macos : .ios }
}
