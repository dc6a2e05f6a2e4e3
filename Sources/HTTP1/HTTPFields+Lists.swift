public import HTTPTypes

extension HTTPFields {
  /// The elements of a field that is a comma-separated list of tokens, over all its lines, in order, as they are
  /// spelled; empty ones are left out (RFC 9110, section 5.6.1).
  public func tokens(of name: HTTPField.Name) -> [String] {
    self[values: name].flatMap { value in
      value.utf8.split(separator: .comma).compactMap { element in
        let token = element.trimmingWhitespace
        return token.isEmpty ? nil : String(Substring(token))
      }
    }
  }

  /// The options of `Connection` in lower case. Besides `close`, `keep-alive` and `upgrade` they name the fields that
  /// are meant for the next hop only, which a proxy takes out (RFC 9110, section 7.6.1).
  public var connectionOptions: [String] {
    tokens(of: .connection).map(\.asciiLowercased)
  }

  /// Whether the connection may be used again after this message (RFC 9112, section 9.3).
  func keepsAlive(in version: HTTPVersion) -> Bool {
    let options = connectionOptions
    if options.contains("close") { return false }
    return version >= .http11 || options.contains("keep-alive")
  }
}
