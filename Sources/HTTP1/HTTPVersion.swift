/// The version of a message's sender (RFC 9110, section 2.5).
public enum HTTPVersion: String, Sendable, Hashable, Comparable {
  /// HTTP/1.0: no chunked bodies, no `Host` required, persistent connections only on request.
  case http10 = "HTTP/1.0"

  /// HTTP/1.1. Higher minor versions are treated as HTTP/1.1, too.
  case http11 = "HTTP/1.1"

  /// Whether `lhs` is the lower version.
  public static func < (lhs: HTTPVersion, rhs: HTTPVersion) -> Bool {
    lhs == .http10 && rhs == .http11
  }

  /// Parses `HTTP/` digit `.` digit, case-sensitively (RFC 9112, section 2.3).
  /// - Throws: `malformedVersion` for other bytes, `unsupportedVersion` for a major version other than 1.
  init(parsing bytes: ArraySlice<UInt8>) throws(MessageDefect) {
    let start = bytes.startIndex
    guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), bytes[start + 5].isDigit, bytes[start + 6] == .dot,
      bytes[start + 7].isDigit
    else { throw .malformedVersion }
    guard bytes[start + 5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
    self = bytes[start + 7] == UInt8(ascii: "0") ? .http10 : .http11
  }
}
