/// How the end of a response's body is found (RFC 9112, section 6.3).
public enum ResponseBodyFraming: Sendable, Hashable {
  /// The response has no body, whatever its fields say: to `HEAD`, and with 1xx, 204 and 304.
  case none
  /// The body has this many bytes, which may be 0.
  case length(Int)
  /// The body comes in chunks, the last of which is empty.
  case chunked
  /// The body is what comes until the connection ends.
  case untilClose
}
