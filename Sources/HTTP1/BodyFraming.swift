/// How a recipient finds the end of a request's body (RFC 9112, section 6.3).
public enum BodyFraming: Sendable, Hashable {
  /// The request has no body.
  case none
  /// The body has this many bytes, which may be 0.
  case length(Int)
  /// The body is chunked.
  case chunked

  /// Whether there are bytes to read.
  public var hasBody: Bool {
    switch self {
    case .none, .length(0): false
    case .length, .chunked: true
    }
  }
}

/// How a recipient finds the end of a response's body (RFC 9112, section 6.3).
public enum ResponseBodyFraming: Sendable, Hashable {
  /// The response has no body, whatever its fields say: a response to `HEAD`, or with status 1xx, 204 or 304.
  case none
  /// The body has this many bytes, which may be 0.
  case length(Int)
  /// The body is chunked.
  case chunked
  /// The body ends with the connection.
  case untilClose
}
