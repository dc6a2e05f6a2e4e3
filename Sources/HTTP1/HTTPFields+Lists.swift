public import HTTPTypes

extension HTTPFields {
  /// The elements of a field that is a comma-separated list of tokens, over all its lines, in order, as they are
  /// spelled; empty ones are left out (RFC 9110, section 5.6.1).
  public func tokens(of name: HTTPField.Name) -> [String] {
    var tokens: [String] = []
    for index in indices where self[index].name == name {
      let value = self[index].value
      // Most have one element.
      let elements = value.utf8.contains(.comma) ? value.utf8.split(separator: .comma) : [value.utf8[...]]
      for element in elements {
        let token = element.trimmingWhitespace
        if !token.isEmpty { tokens.append(String(Substring(token))) }
      }
    }
    return tokens
  }

  /// The options of `Connection` in lower case. Besides `close`, `keep-alive` and `upgrade` they name the fields that
  /// are meant for the next hop only, which a proxy takes out (RFC 9110, section 7.6.1).
  public var connectionOptions: [String] {
    tokens(of: .connection).map(\.asciiLowercased)
  }

  /// Whether the connection may be used again after this message (RFC 9112, section 9.3).
  func keepsAlive(in version: HTTPVersion) -> Bool {
    guard contains(.connection) else { return version >= .http11 }
    let options = connectionOptions
    if options.contains("close") { return false }
    return version >= .http11 || options.contains("keep-alive")
  }
}
