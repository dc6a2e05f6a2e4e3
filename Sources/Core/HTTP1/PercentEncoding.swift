/// Percent escapes in paths and queries (RFC 3986, section 2.1).
public enum PercentEncoding {
  /// Decodes a path; nil when an escape is malformed, a byte is 0, or the bytes are not UTF-8.
  ///
  /// The result does not tell an escaped slash from another one. If that matters, as for files, use
  /// ``decodeSegments(ofPath:)``.
  public static func decode(_ path: String) -> String? {
    decode(path.utf8)
  }

  /// Decodes the segments of a path one by one: `/a%20b/` has the segments `a b` and an empty one.
  /// - Returns: The segments, `.` and `..` among them. Nil when the path does not begin with a slash, or when a segment
  ///   cannot be decoded or contains an escaped slash.
  public static func decodeSegments(ofPath path: String) -> [String]? {
    guard path.utf8.first == .slash else { return nil }
    var segments: [String] = []
    for part in path.utf8.dropFirst().split(separator: .slash, omittingEmptySubsequences: false) {
      guard let segment = decode(part), !segment.utf8.contains(.slash) else { return nil }
      segments.append(segment)
    }
    return segments
  }

  /// Escapes a text for a query. Leaves only unreserved characters (RFC 3986, section 2.3) and slashes.
  public static func encodeQueryItem(_ text: String) -> String {
    encode(text) { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        false
      default: !"-._~/".utf8.contains(byte)
      }
    }
  }

  /// Escapes all but the visible ASCII characters of a URI reference.
  public static func encodeInvisible(_ text: String) -> String { encode(text) { !(0x21...0x7E).contains($0) } }

  private static func encode(_ text: String, where isEscaped: (UInt8) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isEscaped(byte) {
        bytes += [.percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func decode(_ escaped: some Collection<UInt8>) -> String? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(escaped.count)
    var bytes = escaped.makeIterator()
    while var byte = bytes.next() {
      if byte == .percent {
        guard let high = bytes.next()?.hexadecimalValue, let low = bytes.next()?.hexadecimalValue else { return nil }
        byte = UInt8(high * 16 + low)
      }
      guard byte != 0 else { return nil }
      decoded.append(byte)
    }
    return String(validating: decoded, as: UTF8.self)
  }
}
