/// The theme of native screens (bridge reference, "setAppearance").
public enum OnsideAppearance: String, Sendable, Codable {
  /// Light.
  case light
  /// Dark.
  case dark
  /// As the operating system has it.
  case system
}
