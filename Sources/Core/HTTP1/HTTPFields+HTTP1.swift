public import HTTPTypes

extension HTTPField.Name {
  /// `Host`. HTTPTypes marks its own constant as unavailable, since its requests store the authority outside of the
  /// fields.
  public static let hostField: HTTPField.Name = {
    guard let name = HTTPField.Name("Host") else { preconditionFailure("Host is a token") }
    return name
  }()

  /// Whether fields of this name are for one HTTP/1.1 connection only, so that proxies and HTTP/2 leave them out (RFC
  /// 9110, section 7.6.1; RFC 9113, section 8.2.2). False for `TE`, since HTTP/2 allows `TE: trailers`. Checks the
  /// length first, which rules out most names.
  package var concernsConnection: Bool {
    let name = canonicalName
    return switch name.utf8.count {
    case 7: name == "upgrade"
    case 10: name == "connection" || name == "keep-alive"
    case 14: name == "http2-settings"
    case 16: name == "proxy-connection"
    case 17: name == "transfer-encoding"
    default: false
    }
  }
}

extension HTTPFields {
  /// Creates fields from an array, in its order. The array must have fewer than 65,535 elements: `HTTPFields` traps on
  /// more.
  public init(inOrder list: [HTTPField]) {
    self.init()
    reserveCapacity(list.count)
    for field in list { append(field) }
  }

  /// The value of a field, as `self[name]` returns it, but faster when the field occurs once: no values are joined.
  /// (Without this, 5 % more instructions for a `proxied document`.)
  public func value(of name: HTTPField.Name) -> String? {
    // Without copies of the other fields.
    guard contains(name), let index = firstIndex(where: { $0.name == name }) else { return nil }
    if self[(index + 1)...].contains(where: { $0.name == name }) { return self[name] }
    return self[index].value
  }
}

extension HTTPFields {
  /// The elements of a comma-separated list, from all lines of the field, in order and as spelled. Leaves out empty
  /// elements (RFC 9110, section 5.6.1). Splits at every comma, so use it for lists of tokens only.
  public func tokens(of name: HTTPField.Name) -> [String] {
    var tokens: [String] = []
    guard contains(name) else { return tokens }
    for index in indices where self[index].name == name {
      let value = self[index].value
      // Most lists have one element.
      let elements = value.utf8.contains(.comma) ? value.utf8.split(separator: .comma) : [value.utf8[...]]
      for element in elements {
        let token = element.trimmingWhitespace
        if !token.isEmpty { tokens.append(String(Substring(token))) }
      }
    }
    return tokens
  }

  /// The options of `Connection`, in lower case: `close`, `keep-alive`, and the names of fields that a proxy removes,
  /// such as `upgrade` (RFC 9110, section 7.6.1).
  public var connectionOptions: [String] {
    tokens(of: .connection).map(\.asciiLowercased)
  }

  /// Whether the sender keeps the connection open after this message (RFC 9112, section 9.3).
  func keepsAlive(in version: HTTPVersion) -> Bool {
    guard contains(.connection) else { return version >= .http11 }
    let options = connectionOptions
    if options.contains("close") { return false }
    return version >= .http11 || options.contains("keep-alive")
  }
}
