public import HTTPTypes

/// The head of a valid request.
///
/// The fields keep the order of the lines, the spelling of names and the bytes of values. Read a value that is not
/// UTF-8 with `withUnsafeBytesOfValue`.
public struct RequestHead: Sendable, Hashable {
  /// The method, which is case-sensitive and may be any token.
  public let method: HTTPRequest.Method

  /// The request target.
  public let target: RequestTarget

  /// The version of the sender.
  public let version: HTTPVersion

  /// All fields as they were received.
  public let fields: HTTPFields

  /// The authority that the request is for: the target's or, if the target has none, that of the `Host` field. Nil only
  /// in HTTP/1.0.
  public let authority: Authority?

  /// How to find the end of the body.
  public let bodyFraming: BodyFraming

  /// Whether the client wants to reuse the connection (RFC 9112, section 9.3). If so, a response to HTTP/1.0 needs
  /// `Connection: keep-alive`.
  public let keepAlive: Bool

  /// Whether the client waits for a 100 (Continue) before it sends the body (RFC 9110, section 10.1.1). Always false
  /// without a body, and in HTTP/1.0.
  public let expectsContinue: Bool

  /// Creates a head, and checks the rules that span several fields.
  /// - Throws: The first broken rule about `Host`, `Transfer-Encoding`, `Content-Length` or `Expect`.
  public init(
    method: HTTPRequest.Method, target: RequestTarget, version: HTTPVersion = .http11, fields: HTTPFields
  ) throws(MessageDefect) {
    self.method = method
    self.target = target
    self.version = version
    self.fields = fields
    let hostAuthority = try Self.hostAuthority(of: fields, version: version)
    authority =
      switch target {
      case .absolute(_, let authority, _, _), .authority(let authority): authority
      case .origin, .asterisk: hostAuthority
      }
    if try fields.isChunked(in: version) {
      bodyFraming = .chunked
    } else if let length = try fields.contentLength() {
      bodyFraming = .length(length)
    } else {
      bodyFraming = .none
    }
    keepAlive = fields.keepsAlive(in: version)
    let expectations = fields.tokens(of: .expect)
    guard expectations.allSatisfy({ $0.asciiLowercased == "100-continue" }) else { throw .unknownExpectation }
    expectsContinue = !expectations.isEmpty && version >= .http11 && bodyFraming.hasBody
  }

  /// The authority as it was written, with the port if there is one.
  public var host: String? { authority?.rawValue }

  /// The protocols in `Upgrade`, in the sender's order of preference and as spelled (RFC 9110, section 7.8).
  ///
  /// Empty when the server must or may ignore `Upgrade`: in HTTP/1.0, when `Connection` does not name it, and when the
  /// request has a body.
  public var upgradeProtocols: [String] {
    guard version >= .http11, !bodyFraming.hasBody, fields.connectionOptions.contains("upgrade") else { return [] }
    return fields.tokens(of: .upgrade)
  }

  /// The authority of the `Host` field (RFC 9112, section 3.2). Refuses an empty host, since `http` and `https` URIs
  /// must have one (RFC 9110, section 4.2.1).
  private static func hostAuthority(
    of fields: HTTPFields, version: HTTPVersion
  ) throws(MessageDefect) -> Authority? {
    guard let index = fields.firstIndex(where: { $0.name == .hostField }) else {
      if version >= .http11 { throw .missingHost }
      return nil
    }
    guard !fields[(index + 1)...].contains(where: { $0.name == .hostField }) else { throw .repeatedHost }
    guard let authority = Authority(fields[index].value) else { throw .invalidHost }
    return authority
  }
}

/// The version of a message's sender (RFC 9110, section 2.5).
public enum HTTPVersion: String, Sendable, Hashable, Comparable {
  /// HTTP/1.0: no chunked bodies, no `Host` required, persistent connections only on request.
  case http10 = "HTTP/1.0"

  /// HTTP/1.1, and any higher minor version.
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
