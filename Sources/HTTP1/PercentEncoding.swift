/// Decoding of percent escapes in paths (RFC 3986, section 2.1).
public enum PercentEncoding {
  /// Decodes a path; nil when an escape is malformed, a byte is 0, or the bytes are not UTF-8.
  ///
  /// An escaped slash becomes a slash like any other. If the segments matter, as for files, use
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
