/// What is wrong with the settings of the Today bridge. Never holds a secret.
public enum TodaySettingsError: Error, Sendable, Hashable {
  /// A trusted origin is no origin.
  case trustedOrigin(String)
  /// A trusted path does not begin with a slash.
  case trustedPath(String)
  /// An extra header cannot be sent.
  case extraHeader(name: String)
  /// The token's lifetime is out of range.
  case lifetime
}

extension TodaySettingsError: CustomStringConvertible {
  /// What is wrong and what to do, for people.
  public var description: String {
    switch self {
    case .trustedOrigin(let text):
      "\"\(text)\" among the trusted origins is no origin. Write scheme and host, such as https://today.example."
    case .trustedPath(let text): "\"\(text)\" among the trusted paths does not begin with a slash."
    case .extraHeader(let name):
      "The extra header \"\(name)\" cannot be sent: its name must be a header's name other than Authorization, its value one line."
    case .lifetime: "The token's lifetime must be at least one second and at most ten years."
    }
  }
}
