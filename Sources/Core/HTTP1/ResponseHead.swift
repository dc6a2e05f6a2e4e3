public import HTTPTypes

/// The head of a valid response.
public struct ResponseHead: Sendable, Hashable {
  /// The status, from 100 to 599, with the reason phrase as it was received (ISO Latin 1).
  public let status: HTTPResponse.Status

  /// The version of the sender.
  public let version: HTTPVersion

  /// All fields as they were received.
  public let fields: HTTPFields

  /// How to find the end of the body.
  public let bodyFraming: ResponseBodyFraming

  /// Whether the server allows another request on the connection (RFC 9112, section 9.3).
  public let keepAlive: Bool

  /// Whether the connection is no longer HTTP after this head: a 101, or a successful response to `CONNECT`.
  public let endsHTTP: Bool

  /// The defects that were mended in this head, or in what came before it on the connection
  /// (``HTTP1Limits/mendsResponses``).
  public internal(set) var mended: Set<MessageDefect> = []

  /// Creates a head, and checks the rules that span several fields.
  /// - Parameters:
  ///   - status: The status.
  ///   - version: The sender's version.
  ///   - fields: The fields.
  ///   - requestMethod: The request's method.
  /// - Throws: The first broken rule about `Transfer-Encoding` or `Content-Length`.
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
