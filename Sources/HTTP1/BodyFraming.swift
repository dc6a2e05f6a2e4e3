/// How the end of a request's body is found (RFC 9112, section 6.3).
public enum BodyFraming: Sendable, Hashable {
  /// The request has no body.
  case none
  /// The body has this many bytes, which may be 0.
  case length(Int)
  /// The body comes in chunks, the last of which is empty.
  case chunked

  /// Whether there are bytes to read.
  public var hasBody: Bool {
    switch self {
    case .none, .length(0): false
    case .length, .chunked: true
    }
  }
}
