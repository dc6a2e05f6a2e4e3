/// The theme of native screens (bridge reference, "setAppearance"). The raw values are those that pages use.
public enum OnsideUIThemeMode: String, Sendable, Hashable, Codable {
  /// Light.
  case light
  /// Dark.
  case dark
  /// As the operating system has it.
  case auto = "system"
}
