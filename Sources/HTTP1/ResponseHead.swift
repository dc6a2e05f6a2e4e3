public import HTTPTypes

/// The head of a response that keeps every rule, and what follows from it for the connection.
public struct ResponseHead: Sendable, Hashable {
  /// The status, from 100 to 599, with the reason as it came (ISO Latin 1).
  public let status: HTTPResponse.Status

  /// The version of the sender.
  public let version: HTTPVersion

  /// All fields, known or not, as they came.
  public let fields: HTTPFields

  /// How the body's end is found.
  public let bodyFraming: ResponseBodyFraming

  /// Whether the connection may be used again after this response (RFC 9112, section 9.3).
  public let keepAlive: Bool

  /// Whether the connection is no longer HTTP after this head: 101, or a success to `CONNECT`.
  public let endsHTTP: Bool

  /// Checks the rules that span several fields.
  /// - Parameters:
  ///   - status: the status.
  ///   - version: the sender's version.
  ///   - fields: the fields as they came.
  ///   - requestMethod: the method of the request that is answered.
  /// - Throws: the first rule broken, about `Transfer-Encoding` or `Content-Length`.
  public init(
    status: HTTPResponse.Status, version: HTTPVersion = .http11, fields: HTTPFields,
    inResponseTo requestMethod: HTTPRequest.Method
  ) throws(MessageDefect) {
    self.status = status
    self.version = version
    self.fields = fields
    let isChunked = try fields.isChunked(in: version)
    let length = try fields.contentLength()
    endsHTTP = status.code == 101 || (requestMethod == .connect && status.kind == .successful)
    if endsHTTP || requestMethod == .head || status.kind == .informational || status.code == 204 || status.code == 304 {
      bodyFraming = .none
    } else if isChunked {
      bodyFraming = .chunked
    } else if let length {
      bodyFraming = .length(length)
    } else {
      bodyFraming = .untilClose
    }
    keepAlive = !endsHTTP && bodyFraming != .untilClose && fields.keepsAlive(in: version)
  }
}
