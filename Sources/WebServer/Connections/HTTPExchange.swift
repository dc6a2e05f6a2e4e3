public import BridgeRuntime
public import HTTP1
public import HTTPTypes

/// One request and its response.
///
/// The handler reads the body as it comes and answers as it likes: at once with ``respond(_:fields:body:)``, in pieces with
/// ``begin(_:fields:length:)``, ``write(_:)`` and ``finish()``, or by becoming a WebSocket. A handler that returns without an answer has
/// the server answer 500; one that returns in the middle of a response has the connection cut, so that nobody takes a part for the whole.
@BridgeActor
public final class HTTPExchange {
  private enum ResponseState {
    case none
    /// The head was sent; `remaining` counts down a known length.
    case begun(chunked: Bool, remaining: Int?, closing: Bool)
    case ended
  }

  /// The request's head.
  public nonisolated let head: RequestHead
  /// Whether the connection is a TLS one.
  public nonisolated let isSecure: Bool

  /// The fields after the request's body; complete once ``nextBodyPiece()`` has returned nil.
  public private(set) var trailers = HTTPFields()
  /// Called once when the peer will neither send nor, as far as one can tell, read any more, as a browser does when nobody waits for the
  /// response. A peer that only ends its own side cannot be told from one that has gone.
  public var onDisconnect: (() -> Void)?

  /// Whether the response is another server's, passed on: it then goes out without the server's ``WebServer/commonFields``.
  public var isPassedOn = false

  let connection: HTTPConnection
  private let server: WebServer
  private var response = ResponseState.none
  private var body = HTTPBodyBuffer()
  private var writer: CheckedContinuation<Void, any Error>?
  private(set) var isAborted = false
  private var mustContinue: Bool

  init(head: RequestHead, connection: HTTPConnection, server: WebServer) {
    self.head = head
    self.connection = connection
    self.server = server
    isSecure = connection.isSecure
    mustContinue = head.expectsContinue
  }

  // MARK: The request's body

  /// The next piece of the request's body, or nil at its end. Throws ``HTTPExchangeError`` when the peer goes away before.
  ///
  /// The first call answers an `Expect: 100-continue`.
  public func nextBodyPiece() async throws -> [UInt8]? {
    if mustContinue {
      mustContinue = false
      if case .none = response { connection.send(HeadEncoder.encode(.continue, fields: HTTPFields())) }
    }
    let piece: [UInt8]? =
      switch try body.take() {
      case .piece(let piece): piece
      case .end: nil
      case .wait: try await withCheckedThrowingContinuation { body.wait($0) }
      }
    if body.byteCount < HTTPBodyBuffer.lowWater { connection.setReadingPaused(false) }
    return piece
  }

  /// The whole body, at most `limit` bytes; nil when it is larger.
  public func collectBody(limit: Int) async throws -> [UInt8]? {
    if case .length(let length) = head.bodyFraming, length > limit { return nil }
    var bytes: [UInt8] = []
    while let piece = try await nextBodyPiece() {
      guard bytes.count + piece.count <= limit else { return nil }
      bytes += piece
    }
    return bytes
  }

  /// The peer's address in digits; nil when it is not known any more.
  public var peerAddress: String? { connection.stream.peerAddress }

  // MARK: The response

  /// Whether the head of the response was sent.
  public var hasBegun: Bool {
    if case .none = response { false } else { true }
  }

  /// Sends an informational response (1xx, RFC 9110, section 15.2) before the final one. A client of HTTP/1.0 does not get it.
  public func inform(_ status: HTTPResponse.Status, fields: HTTPFields = HTTPFields()) {
    guard case .none = response, !isAborted, head.version >= .http11, status.kind == .informational else { return }
    connection.send(HeadEncoder.encode(status, fields: fields))
  }

  /// Sends a complete response. `Date`, `Content-Length` and, where needed, `Connection` are added.
  public func respond(_ status: HTTPResponse.Status, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
    guard let head = responseHead(status, fields: fields, length: body.count) else { return }
    let closing = connection.closesAfterResponse
    connection.send(sendsBody(status) ? head + body : head)
    end(closing: closing)
  }

  /// Sends the head of a response whose body follows in pieces. Without a length it goes out in chunks or, to an HTTP/1.0 client,
  /// until the connection closes.
  public func begin(_ status: HTTPResponse.Status, fields: HTTPFields = HTTPFields(), length: Int? = nil) {
    guard let head = responseHead(status, fields: fields, length: length) else { return }
    let chunked = length == nil && self.head.version >= .http11 && sendsBody(status)
    let untilClose = length == nil && !chunked && sendsBody(status)
    connection.send(head)
    response = .begun(
      chunked: chunked,
      remaining: sendsBody(status) ? length : 0,
      closing: connection.closesAfterResponse || untilClose
    )
  }

  /// Sends a piece of the body, and waits while the peer is behind. Bytes beyond the announced length are not sent; nor is any body to
  /// a HEAD request. Throws ``HTTPExchangeError`` once the peer has gone.
  public func write(_ bytes: [UInt8]) async throws {
    guard !isAborted else { throw HTTPExchangeError.connectionClosed }
    guard case .begun(let chunked, let remaining, let closing) = response, !bytes.isEmpty else { return }
    if chunked {
      connection.send(ChunkedEncoder.chunk(bytes))
    } else if let remaining {
      let part = bytes.count <= remaining ? bytes : Array(bytes.prefix(remaining))
      connection.send(part)
      response = .begun(chunked: false, remaining: remaining - part.count, closing: closing)
    } else {
      connection.send(bytes)
    }
    if connection.queuedByteCount > Self.highWater {
      try await withCheckedThrowingContinuation { writer = $0 }
    }
  }

  /// Ends the response. Trailers go out where the response goes out in chunks (RFC 9110, section 6.5).
  public func finish(trailers: HTTPFields = HTTPFields()) {
    guard case .begun(let chunked, let remaining, let closing) = response else { return }
    guard remaining ?? 0 == 0 else { return connection.cut() }
    if chunked { connection.send(ChunkedEncoder.end(trailers: trailers)) }
    end(closing: closing)
  }

  private func end(closing: Bool) {
    response = .ended
    onDisconnect = nil
    // What is left of the request is the connection's to throw away.
    body.fail(HTTPExchangeError.responseSent)
    connection.responseEnded(closing: closing)
  }

  /// Makes the connection a WebSocket (RFC 6455) with one of the subprotocols that the client offered, or none.
  ///
  /// Throws ``WebSocketHandshakeError`` when the request is no WebSocket handshake; the exchange can then still be answered. What the
  /// connection is to do must be set before the handler suspends.
  public func acceptWebSocket(subprotocol: String? = nil) throws -> WebSocketConnection {
    let handshake = try WebSocketHandshake(head)
    if let subprotocol, !handshake.subprotocols.contains(subprotocol) {
      throw WebSocketHandshakeError.subprotocolNotOffered(subprotocol)
    }
    guard case .none = response, let (descriptor, remainder) = connection.detach() else {
      throw HTTPExchangeError.connectionClosed
    }
    response = .ended
    return try server.adopt(
      descriptor: descriptor,
      head: handshake.cleanHead(host: server.hostName, subprotocol: subprotocol) + remainder,
      subprotocol: subprotocol
    )
  }

  /// Answers 101 and ends HTTP: returns the bytes that were read after the request, and has `successor` told of the stream's events.
  func switchProtocols(fields: HTTPFields, to successor: any ByteStreamDelegate) -> [UInt8] {
    connection.send(HeadEncoder.encode(.switchingProtocols, fields: fields))
    response = .ended
    onDisconnect = nil
    return connection.switchProtocols(to: successor)
  }

  // MARK: From the connection

  func receive(_ bytes: [UInt8]) {
    body.append(bytes)
    if body.byteCount > HTTPBodyBuffer.highWater { connection.setReadingPaused(true) }
  }

  func receiveEnd(_ trailers: HTTPFields) {
    self.trailers = trailers
    body.end()
  }

  /// The peer will send nothing more.
  func peerEnded() {
    let onDisconnect = onDisconnect
    self.onDisconnect = nil
    onDisconnect?()
  }

  func sent(remaining: Int) {
    if remaining < Self.lowWater, let writer {
      self.writer = nil
      writer.resume()
    }
  }

  /// The connection is gone: whoever waits for it hears of it.
  func abort() {
    isAborted = true
    body.fail(HTTPExchangeError.connectionClosed)
    writer?.resume(throwing: HTTPExchangeError.connectionClosed)
    writer = nil
    peerEnded()
  }

  func handlerReturned() {
    switch response {
    case .none where !isAborted:
      respond(
        .internalServerError,
        fields: [.contentType: "text/plain; charset=utf-8"],
        body: Array("The server has no answer to this request.\n".utf8)
      )
    case .begun: connection.cut()
    case .none, .ended: break
    }
  }

  // MARK: Heads

  private static let highWater = 256 << 10
  private static let lowWater = 64 << 10

  private func sendsBody(_ status: HTTPResponse.Status) -> Bool {
    head.method != .head && status != .noContent && status != .notModified && status.kind != .informational
  }

  private func responseHead(_ status: HTTPResponse.Status, fields: HTTPFields, length: Int?) -> [UInt8]? {
    guard case .none = response, !isAborted else { return nil }
    var fields = fields
    if !fields.contains(.date) { fields.append(HTTPField(name: .date, value: server.date())) }
    if !isPassedOn { fields.append(missingFrom: server.commonFields) }
    if status != .noContent, status != .notModified {
      if let length {
        // A length that stands there already keeps its place.
        if fields[.contentLength] != String(length) { fields[.contentLength] = String(length) }
      } else if head.version >= .http11, sendsBody(status) {
        fields[.transferEncoding] = "chunked"
      }
    }
    let untilClose = length == nil && head.version < .http11 && sendsBody(status)
    if connection.closesAfterResponse || untilClose {
      fields[.connection] = "close"
    } else if head.version < .http11 {
      fields[.connection] = "keep-alive"
    }
    return HeadEncoder.encode(status, fields: fields)
  }
}
