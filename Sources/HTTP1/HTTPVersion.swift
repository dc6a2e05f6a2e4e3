/// The version of a message's sender, as far as it changes how a message is read (RFC 9110, section 2.5).
public enum HTTPVersion: String, Sendable, Hashable, Comparable {
  /// HTTP/1.0: no chunks, no persistence unless asked for, no required `Host`.
  case http10 = "HTTP/1.0"

  /// HTTP/1.1, and every higher minor version: a recipient reads those as the highest that it knows.
  case http11 = "HTTP/1.1"

  /// Whether `lhs` is the lower version.
  public static func < (lhs: HTTPVersion, rhs: HTTPVersion) -> Bool {
    lhs == .http10 && rhs == .http11
  }

  /// Reads `HTTP/` digit `.` digit, case-sensitive (RFC 9112, section 2.3).
  /// - Throws: `malformedVersion` for other bytes, `unsupportedVersion` for a major version that is not 1.
  init(parsing bytes: ArraySlice<UInt8>) throws(MessageDefect) {
    let start = bytes.startIndex
    guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), bytes[start + 5].isDigit, bytes[start + 6] == .dot,
      bytes[start + 7].isDigit
    else { throw .malformedVersion }
    guard bytes[start + 5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
    self = bytes[start + 7] == UInt8(ascii: "0") ? .http10 : .http11
  }
}
