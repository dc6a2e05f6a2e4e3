public import HTTPTypes

extension HTTPField.Name {
  /// `Host`. The constant of HTTPTypes is unavailable, since later versions of HTTP have no such field.
  public static let hostField: HTTPField.Name = {
    guard let name = HTTPField.Name("Host") else { preconditionFailure("Host is a token") }
    return name
  }()

  /// Whether fields of this name are for one connection of HTTP/1.1 only (RFC 9110, section 7.6.1; RFC 9113, section 8.2.2). `TE`, which HTTP/2
  /// has in part, is not among them. The lengths rule out most names.
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
  /// Creates fields from an array, in its order.
  public init(inOrder list: [HTTPField]) {
    self.init()
    reserveCapacity(list.count)
    for field in list { append(field) }
  }

  /// The value of a field, as `self[name]` gives it, but without joining values when the field occurs once. (Without this, 5 % more
  /// instructions for a `proxied document`.)
  public func value(of name: HTTPField.Name) -> String? {
    guard let index = firstIndex(where: { $0.name == name }) else { return nil }
    if self[(index + 1)...].contains(where: { $0.name == name }) { return self[name] }
    return self[index].value
  }
}

extension HTTPFields {
  /// The elements of a comma-separated list of tokens, over all lines of the field, in order and as spelled. Leaves out
  /// empty elements (RFC 9110, section 5.6.1).
  public func tokens(of name: HTTPField.Name) -> [String] {
    var tokens: [String] = []
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

  /// The options of `Connection`, in lower case. Besides `close`, `keep-alive` and `upgrade`, they name hop-by-hop
  /// fields, which a proxy removes (RFC 9110, section 7.6.1).
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
