public import HTTPTypes

/// Writes heads: start line, fields in their order with their names as spelled, empty line. Nothing is added: neither
/// a length nor a date.
///
/// Our own version is always written as HTTP/1.1, whatever the peer speaks (RFC 9110, section 2.5). No line can be
/// smuggled in: names and methods are tokens by their types, targets are read again before they are written, and a
/// control byte in a value or a reason becomes a space.
public enum HeadEncoder {
  /// The head of a response, be it final or informational (1xx).
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

  /// The head of a request.
  /// - Throws: `invalidTarget` when the target, which can be put together by hand, is not one that a server would
  ///   accept.
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
  /// Appends field lines and the empty line after them.
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
