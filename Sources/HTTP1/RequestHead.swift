public import HTTPTypes

/// The head of a request that keeps every rule, and what follows from it for the connection.
///
/// The fields are `HTTPFields`, which keep each line in its order, each name as it was spelled and each value's
/// bytes; a value that is not UTF-8 is read with `withUnsafeBytesOfValue`.
public struct RequestHead: Sendable, Hashable {
  /// The method. It is case-sensitive, and any token: whether it is known is for the router to say.
  public let method: HTTPRequest.Method

  /// What the request asks for.
  public let target: RequestTarget

  /// The version of the sender.
  public let version: HTTPVersion

  /// All fields, known or not, as they came.
  public let fields: HTTPFields

  /// The authority that the request is meant for: the target's if it has one, else the `Host` field's. Nil only in
  /// HTTP/1.0.
  public let authority: Authority?

  /// How the body's end is found.
  public let bodyFraming: BodyFraming

  /// Whether the sender lets the connection be used again (RFC 9112, section 9.3). A sender of HTTP/1.0 does not know
  /// that it is, unless the response says `Connection: keep-alive`.
  public let keepAlive: Bool

  /// Whether the sender waits for a 100 (Continue) before it sends the body. False when there is no body, and in
  /// HTTP/1.0 (RFC 9110, section 10.1.1).
  public let expectsContinue: Bool

  /// Checks the rules that span several fields.
  /// - Throws: the first rule broken, about `Host`, `Transfer-Encoding`, `Content-Length` or `Expect`.
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

  /// The authority as it was written, host and perhaps port.
  public var host: String? { authority?.rawValue }

  /// The protocols that the sender offers to switch to, in its order of preference, as they are spelled (RFC 9110,
  /// section 7.8).
  ///
  /// Empty where a server takes no notice of `Upgrade`: when `Connection` does not name it, in HTTP/1.0, and when
  /// there is a body, which would have to be read to its end first.
  public var upgradeProtocols: [String] {
    guard version >= .http11, !bodyFraming.hasBody, fields.connectionOptions.contains("upgrade") else { return [] }
    return fields.tokens(of: .upgrade)
  }

  /// RFC 9112, section 3.2. An empty host is refused too: no `http` or `https` URI has one (RFC 9110, section 4.2.1).
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
