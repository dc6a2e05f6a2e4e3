public import HTTPTypes

/// Encodes heads: the start line, the fields in order and as spelled, and the empty line. Adds no fields.
///
/// The version is always HTTP/1.1, even if the peer uses HTTP/1.0 (RFC 9110, section 2.5). No input can inject a line:
/// the types of names and methods allow tokens only, the target is parsed again, and a control byte in a value or a
/// reason phrase becomes a space.
public enum HeadEncoder {
  /// Encodes the head of a final or informational (1xx) response.
  public static func encode(_ status: HTTPResponse.Status, fields: HTTPFields = [:]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64 + fields.count * 48)
    bytes += "HTTP/1.1 ".utf8
    for divisor in [100, 10, 1] {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: status.code / divisor % 10))
    }
    bytes.append(.space)
    if status.reasonPhrase.utf8.allSatisfy({ $0.isVisible || $0 == .space }) {
      bytes += status.reasonPhrase.utf8
    } else {
      for scalar in status.reasonPhrase.unicodeScalars {
        bytes.append(fieldContent: UInt8(exactly: scalar.value) ?? .space)
      }
    }
    bytes.appendLineEnd()
    bytes.append(fields: fields)
    return bytes
  }

  /// Encodes the head of a request.
  /// - Throws: ``MessageDefect/invalidTarget`` when ``RequestTarget/init(_:method:)`` would not parse the target for
  ///   this method.
  public static func encode(
    _ method: HTTPRequest.Method, _ target: RequestTarget, fields: HTTPFields
  ) throws(MessageDefect) -> [UInt8] {
    let rawTarget = target.rawValue
    guard RequestTarget(rawTarget, method: method) == target else { throw .invalidTarget }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64 + rawTarget.utf8.count + fields.count * 48)
    bytes += method.rawValue.utf8
    bytes.append(.space)
    bytes += rawTarget.utf8
    bytes += " HTTP/1.1".utf8
    bytes.appendLineEnd()
    bytes.append(fields: fields)
    return bytes
  }
}

extension [UInt8] {
  /// Appends field lines and the final empty line.
  mutating func append(fields: some Sequence<HTTPField>) {
    for field in fields {
      self += field.name.rawName.utf8
      append(.colon)
      append(.space)
      field.withUnsafeBytesOfValue { value in
        if value.allSatisfy(\.isFieldContent) {
          append(contentsOf: value)
        } else {
          for byte in value { append(fieldContent: byte) }
        }
      }
      appendLineEnd()
    }
    appendLineEnd()
  }

  mutating func appendLineEnd() {
    append(.carriageReturn)
    append(.lineFeed)
  }

  fileprivate mutating func append(fieldContent byte: UInt8) {
    append(byte.isFieldContent ? byte : .space)
  }
}
