/// What is wrong with the settings of the Today bridge. Contains no secrets.
public enum TodaySettingsError: Error, Sendable, Hashable {
  /// A text in the trusted origins is not an origin.
  case trustedOrigin(String)
  /// A trusted path does not begin with a slash.
  case trustedPath(String)
  /// An extra header cannot be sent.
  case extraHeader(name: String)
  /// The token's lifetime is out of range.
  case lifetime
  /// A URL to post to is not an `http` or `https` URL.
  case url(String)
}

extension TodaySettingsError: CustomStringConvertible {
  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .trustedOrigin(let text):
      "The trusted origin \"\(text)\" is not an origin. Write scheme and host, such as https://today.example."
    case .trustedPath(let text): "The trusted path \"\(text)\" does not begin with a slash."
    case .extraHeader(let name):
      "The extra header \"\(name)\" cannot be sent. Its name must be a valid header name other than Authorization, and its value one line."
    case .url(let text): "\(text) is not a URL to post to. Use one that begins with http:// or https://."
    case .lifetime: "The token's lifetime must be at least one second and at most ten years."
    }
  }
}
