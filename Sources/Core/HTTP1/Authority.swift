/// A host with an optional port, as in the `Host` field and in a request target (RFC 3986, section 3.2). User
/// information is refused (RFC 9110, section 4.2.4).
public struct Authority: Sendable, Hashable, CustomStringConvertible {
  /// The text as it was received.
  public let rawValue: String

  /// The host in lower case: a name, an IPv4 address, or an IPv6 address in its brackets. Never empty.
  public let host: String

  /// The port; nil when there is none, or nothing after the colon.
  public let port: UInt16?

  /// Parses an authority; nil when it is malformed or its host is empty.
  public init?(_ rawValue: String) {
    self.init(parsing: Array(rawValue.utf8)[...])
  }

  init?(parsing bytes: ArraySlice<UInt8>) {
    let hostBytes: ArraySlice<UInt8>
    if bytes.first == UInt8(ascii: "[") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      hostBytes = bytes[...end]
      guard Self.isIPv6Address(bytes[(bytes.startIndex + 1)..<end]) else { return nil }
    } else {
      hostBytes = bytes.prefix { $0 != .colon }
      guard !hostBytes.isEmpty, Self.isRegisteredName(hostBytes) else { return nil }
    }
    let rest = bytes[hostBytes.endIndex...]
    if rest.count > 1 {
      let digits = rest.dropFirst()
      guard rest.first == .colon, digits.count <= 5, digits.allSatisfy(\.isDigit),
        let port = UInt16(String(decoding: digits, as: UTF8.self))
      else { return nil }
      self.port = port
    } else {
      guard rest.isEmpty || rest.first == .colon else { return nil }
      port = nil
    }
    rawValue = String(decoding: bytes, as: UTF8.self)
    host = rest.isEmpty ? rawValue.asciiLowercased : String(decoding: hostBytes, as: UTF8.self).asciiLowercased
  }

  /// The text as it was received.
  public var description: String { rawValue }

  private static func isRegisteredName(_ bytes: ArraySlice<UInt8>) -> Bool {
    var escapeDigits = 0
    for byte in bytes {
      if escapeDigits > 0 {
        guard byte.hexadecimalValue != nil else { return false }
        escapeDigits -= 1
      } else if byte == .percent {
        escapeDigits = 2
      } else if !(byte.isUnreserved || byte.isSubDelimiter) {
        return false
      }
    }
    return escapeDigits == 0
  }

  /// Eight groups of one to four hexadecimal digits. `::` may replace one run of groups, and an IPv4 address the last
  /// two groups.
  private static func isIPv6Address(_ bytes: ArraySlice<UInt8>) -> Bool {
    var groups = 0
    var isCompressed = false
    var rest = bytes
    if rest.starts(with: "::".utf8) {
      isCompressed = true
      rest = rest.dropFirst(2)
      if rest.isEmpty { return true }
    }
    while true {
      let group = rest.prefix { $0 != .colon }
      rest = rest[group.endIndex...]
      if rest.isEmpty, group.contains(.dot) {
        guard isIPv4Address(group) else { return false }
        groups += 2
      } else {
        guard (1...4).contains(group.count), group.allSatisfy({ $0.hexadecimalValue != nil }) else { return false }
        groups += 1
      }
      if rest.isEmpty { break }
      if rest.starts(with: "::".utf8) {
        guard !isCompressed else { return false }
        isCompressed = true
        rest = rest.dropFirst(2)
        if rest.isEmpty { break }
      } else {
        rest = rest.dropFirst()
      }
    }
    return isCompressed ? groups <= 7 : groups == 8
  }

  /// Four decimal numbers up to 255, without leading zeros.
  static func isIPv4Address(_ bytes: ArraySlice<UInt8>) -> Bool {
    var dotCount = 0
    var number: Int?
    for byte in bytes {
      if byte == .dot {
        guard number != nil else { return false }
        dotCount += 1
        number = nil
      } else {
        // Some programs read a number with a leading zero as octal.
        guard byte.isDigit, number != 0 else { return false }
        let longer = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
        guard longer <= 255 else { return false }
        number = longer
      }
    }
    return dotCount == 3 && number != nil
  }
}

extension UInt8 {
  /// RFC 3986, section 2.3.
  var isUnreserved: Bool {
    isLetter || isDigit || self == UInt8(ascii: "-") || self == .dot || self == UInt8(ascii: "_")
      || self == UInt8(ascii: "~")
  }

  /// RFC 3986, section 2.2.
  var isSubDelimiter: Bool {
    switch self {
    case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), .comma, .semicolon, UInt8(ascii: "="):
      true
    default: false
    }
  }
}

extension Authority {
  /// Whether the host is an IP address rather than a name.
  public var isAddress: Bool {
    host.hasPrefix("[") || Self.isIPv4Address(Array(host.utf8)[...])
  }

  /// Whether the host is `localhost` or a loopback address: 127.0.0.0/8 or `::1` (RFC 1122, section 3.2.1.3; RFC 4291,
  /// section 2.5.3). IPv4 addresses mapped to IPv6 do not count.
  public var isLoopback: Bool {
    switch host {
    case "localhost", "[::1]", "[0:0:0:0:0:0:0:1]": true
    default: host.hasPrefix("127.") && isAddress
    }
  }
}
