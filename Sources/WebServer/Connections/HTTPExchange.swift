public import BridgeRuntime
public import HTTP1
public import HTTPTypes

/// One request and its response.
///
/// A handler reads the body as it arrives, and answers in one of three ways: at once with ``respond(_:fields:body:)``, in
/// pieces with ``begin(_:fields:length:)``, ``write(_:)`` and ``finish(trailers:)``, or with
/// ``acceptWebSocket(subprotocol:)``. If a handler returns without an answer, the server sends 500. If it returns in the
/// middle of a response, the server closes the connection, so that the peer sees that the response is incomplete.
///
/// ```swift
/// guard let body = try await exchange.collectBody(limit: 1 << 20) else { return exchange.respond(.contentTooLarge) }
/// exchange.begin(.ok, fields: [.contentType: "text/plain"])
/// try await exchange.write(body)
/// exchange.finish()
/// ```
@BridgeActor
public final class HTTPExchange {
  private enum ResponseState {
    case none
    /// The head was sent. `remaining` is what is left of a known length.
    case begun(remaining: Int?)
    case ended
  }

  /// The request's head. Its host is the one that the client has asked for (``passesFor(_:)``).
  public private(set) var head: RequestHead
  /// Whether the client's connection uses TLS.
  public private(set) var isSecure: Bool
  /// The CONNECT at the beginning of the connection; nil for a direct connection.
  public var tunnel: ConnectTunnel? { connection.tunnel }
  /// The version of HTTP on the connection, such as `HTTP/2.0`. The head of an HTTP/2 request is that of HTTP/1.1.
  public var protocolName: String { connection.protocolName ?? head.version.rawValue }
  /// Whether the connection closes after the response, whatever the client asked for.
  public var closesConnection = false
  /// The client's original request, if a proxy has passed it on.
  private var forwarded: ForwardedRequest?

  /// The trailers of the request; complete once ``nextBodyPiece()`` has returned nil.
  public private(set) var trailers = HTTPFields()
  /// Is called once when the peer ends its side of the connection, as a browser does when it no longer waits for the
  /// response. A peer that only ends its sending side cannot be distinguished from one that has gone.
  public var onDisconnect: (() -> Void)?

  /// Observes the exchange; nil for none.
  public var observer: (any ExchangeObserver)?

  /// Whether the response comes from another server. It is then sent without ``HTTPServer/commonFields``.
  public var isPassedOn = false

  /// Whether the peer has no time limit to send its body and to read the response, like a browser whose page is stopped
  /// at a breakpoint.
  public var isPatient = false {
    didSet { connection.expectationChanged() }
  }

  /// Whether the response waits for events, perhaps without end. A server that stops cuts it at once.
  public var waitsForEvents = false

  private let connection: any ExchangeConnection
  let server: HTTPServer
  private var response = ResponseState.none
  private var status: HTTPResponse.Status?
  private let start = MonotonicTime.nanoseconds
  private var body = HTTPBodyBuffer()
  private var writer: CheckedContinuation<Void, any Error>?
  private(set) var isAborted = false
  /// Whether the peer has ended its side of the connection, as a browser does when it no longer waits for the response.
  public private(set) var peerHasEnded = false
  /// Whether the client waits for a 100 (Continue) before it sends the body.
  private var mustContinue: Bool
  private var hasWholeBody = false

  init(head: RequestHead, connection: any ExchangeConnection, server: HTTPServer) {
    self.head = head
    self.connection = connection
    self.server = server
    isSecure = connection.isSecure
    mustContinue = head.expectsContinue
  }

  // MARK: The request's body

  /// Reads the next piece of the request's body. The first call answers an `Expect: 100-continue`.
  ///
  /// - Returns: The piece; nil at the end of the body.
  /// - Throws: ``HTTPExchangeError`` when the connection ends first.
  public func nextBodyPiece() async throws -> [UInt8]? {
    if mustContinue {
      mustContinue = false
      if case .none = response { connection.inform(.continue, fields: [:]) }
      connection.expectationChanged()
    }
    let piece: [UInt8]? =
      switch try body.take() {
      case .piece(let piece): piece
      case .end: nil
      case .wait: try await withCheckedThrowingContinuation { body.wait($0) }
      }
    if body.byteCount < HTTPBodyBuffer.lowWater { connection.setReadingPaused(false) }
    if let observer, let piece { observer.received(piece) }
    return piece
  }

  /// Puts back pieces of the body, so that they are read again. No read may be waiting.
  package func putBack(_ pieces: [[UInt8]]) {
    body.putBack(pieces)
  }

  /// Reads the whole body.
  ///
  /// - Parameter limit: The largest size, in bytes.
  /// - Returns: The body; nil when it is larger.
  /// - Throws: ``HTTPExchangeError`` when the connection ends first.
  public func collectBody(limit: Int) async throws -> [UInt8]? {
    if case .length(let length) = head.bodyFraming, length > limit { return nil }
    var bytes: [UInt8] = []
    while let piece = try await nextBodyPiece() {
      guard bytes.count + piece.count <= limit else { return nil }
      bytes += piece
    }
    return bytes
  }

  /// The client's IP address without the port; nil when it is not known, or no longer.
  public var peerAddress: String? { forwarded.map(\.address) ?? connection.peerAddress }

  /// The IP address of the other end of the connection, without the port, whatever a proxy says; nil when it is not known, or no longer.
  public var connectionAddress: String? { connection.peerAddress }

  /// Replaces the fields of the request.
  ///
  /// - Throws: `MessageDefect` when the request is not valid with them.
  public func replaceFields(_ fields: HTTPFields) throws(MessageDefect) {
    head = try RequestHead(method: head.method, target: head.target, version: head.version, fields: fields)
  }

  /// Replaces the proxy's request by the client's original one.
  ///
  /// - Throws: `MessageDefect` when the original is not a valid request.
  public func passesFor(_ original: ForwardedRequest) throws(MessageDefect) {
    forwarded = original
    isSecure = original.isSecure ?? isSecure
    guard let authority = original.authority else { return }
    let target: RequestTarget =
      if case .absolute(_, _, let path, let query) = head.target {
        .origin(path: path.isEmpty ? "/" : path, query: query)
      } else {
        head.target
      }
    var fields = head.fields
    fields[.hostField] = authority.rawValue
    head = try RequestHead(method: head.method, target: target, version: head.version, fields: fields)
  }

  // MARK: The response

  /// Whether the head of the response has been sent.
  public var hasBegun: Bool {
    if case .none = response { false } else { true }
  }

  /// Sends an informational response (1xx; RFC 9110, section 15.2) before the final one. Does nothing for a client of
  /// HTTP/1.0.
  public func inform(_ status: HTTPResponse.Status, fields: HTTPFields = HTTPFields()) {
    guard case .none = response, !isAborted, head.version >= .http11, status.kind == .informational else { return }
    connection.inform(status, fields: fields)
  }

  /// Sends a complete response. Adds `Date`, `Content-Length` and, if needed, `Connection`.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - fields: The fields.
  ///   - body: The body; not sent in response to HEAD.
  public func respond(_ status: HTTPResponse.Status, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
    guard sendHead(status, fields, length: body.count, body: body) else { return }
    end()
  }

  /// Sends the head of a response whose body follows in pieces.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - fields: The fields.
  ///   - length: The size of the body in bytes. Without it, the body is chunked or, for a client of HTTP/1.0, ends with
  ///     the connection.
  public func begin(_ status: HTTPResponse.Status, fields: HTTPFields = HTTPFields(), length: Int? = nil) {
    guard sendHead(status, fields, length: length) else { return }
    response = .begun(remaining: sendsBody(status) ? length : 0)
  }

  /// Sends a piece of the body, and waits while the peer is behind. Bytes beyond the announced length are not sent, and
  /// neither is a body in response to HEAD.
  ///
  /// - Throws: ``HTTPExchangeError`` once the connection has ended.
  public func write(_ bytes: [UInt8]) async throws {
    guard !isAborted else { throw HTTPExchangeError.connectionClosed }
    guard case .begun(let remaining) = response else { return }
    let part = remaining.map { bytes.count <= $0 ? bytes : Array(bytes.prefix($0)) } ?? bytes
    guard !part.isEmpty else { return }
    connection.write(part)
    observer?.sent(part)
    response = .begun(remaining: remaining.map { $0 - part.count })
    if connection.queuedByteCount > Self.highWater {
      try await withCheckedThrowingContinuation { writer = $0 }
    }
  }

  /// Ends the response. Trailers are sent with a chunked body only (RFC 9110, section 6.5).
  public func finish(trailers: HTTPFields = HTTPFields()) {
    guard case .begun(let remaining) = response else { return }
    guard remaining ?? 0 == 0 else { return connection.cut() }
    end(trailers: trailers)
  }

  private func end(trailers: HTTPFields = [:]) {
    response = .ended
    if let status, !waitsForEvents { server.onAnswer?(status, MonotonicTime.nanoseconds - start) }
    onDisconnect = nil
    endObservation(isComplete: true)
    // The connection discards the rest of the request.
    body.fail(HTTPExchangeError.responseSent)
    connection.end(trailers: trailers)
  }

  /// Closes the connection without an answer, or in the middle of one.
  public func cut() {
    response = .ended
    onDisconnect = nil
    connection.cut()
  }

  /// Makes the connection a WebSocket (RFC 6455).
  ///
  /// - Parameter subprotocol: One of the subprotocols that the client offered; nil for none.
  /// - Returns: The WebSocket. Set its callbacks before the handler suspends.
  /// - Throws: ``WebSocketHandshakeError`` when the request is not a valid handshake; the exchange can then still be
  ///   answered.
  public func acceptWebSocket(subprotocol: String? = nil) throws -> WebSocketConnection {
    let handshake = try WebSocketHandshake(head)
    if let subprotocol, !handshake.subprotocols.contains(subprotocol) {
      throw WebSocketHandshakeError.subprotocolNotOffered(subprotocol)
    }
    guard case .none = response, let (descriptor, remainder) = http1?.detach() else {
      throw HTTPExchangeError.connectionClosed
    }
    response = .ended
    observeSwitch(.switchingProtocols)
    let head = handshake.cleanHead(host: server.hostName, subprotocol: subprotocol) + remainder
    return try server.adopt(descriptor: descriptor, head: head, subprotocol: subprotocol)
  }

  /// The connection, if it is one of HTTP/1.1, which alone can become something else.
  var http1: HTTPConnection? { connection as? HTTPConnection }

  /// Answers a CONNECT with 200. Returns its connection; nil when the exchange has an answer, or its peer has gone.
  func beginTunnel() -> HTTPConnection? {
    guard case .none = response, !isAborted, let http1 else { return nil }
    http1.send(HeadEncoder.encode(Self.established))
    response = .ended
    observeSwitch(Self.established)
    onDisconnect = nil
    return http1
  }

  /// The status of a successful CONNECT. Its response has no fields about a body (RFC 9110, section 9.3.6).
  static let established = HTTPResponse.Status(code: 200, reasonPhrase: "Connection Established")

  /// Sends the head of the last response and ends HTTP on its connection. The stream's events go to `successor`.
  ///
  /// - Returns: The bytes that were read after the request.
  func switchProtocols(_ head: [UInt8], of connection: HTTPConnection, to successor: any ByteStreamDelegate) -> [UInt8]
  {
    connection.send(head)
    response = .ended
    onDisconnect = nil
    observeSwitch(self.head.method == .connect ? Self.established : .switchingProtocols)
    return connection.switchProtocols(to: successor)
  }

  /// The response ends HTTP on the connection.
  private func observeSwitch(_ status: HTTPResponse.Status) {
    observer?.began(self, status, [:])
    endObservation(isComplete: true)
  }

  private func endObservation(isComplete: Bool) {
    observer?.ended(self, isComplete: isComplete)
    observer = nil
  }

  // MARK: From the connection

  func receive(_ bytes: [UInt8]) {
    mustContinue = false
    body.append(bytes)
    if body.byteCount > HTTPBodyBuffer.highWater { connection.setReadingPaused(true) }
  }

  func receiveEnd(_ trailers: HTTPFields) {
    hasWholeBody = true
    self.trailers = trailers
    body.end()
  }

  /// How long the peer may now pause, since it has to read the response or to send more of the request's body; nil for any time.
  func peerTimeout(isReading: Bool) -> Duration? {
    let awaitsBody = isReading && !hasWholeBody && !mustContinue
    return !isPatient && (awaitsBody || connection.queuedByteCount > 0) ? server.limits.transferTimeout : nil
  }

  /// The peer sends nothing more.
  func peerEnded() {
    peerHasEnded = true
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

  /// Ends all waits, since the connection has ended.
  func abort() {
    isAborted = true
    endObservation(isComplete: false)
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

  /// Sends the head of the final response with its first bytes. Returns false if a response has begun, or the peer has gone.
  private func sendHead(_ status: HTTPResponse.Status, _ fields: HTTPFields, length: Int?, body: [UInt8] = []) -> Bool {
    guard case .none = response, !isAborted else { return false }
    self.status = status
    var fields = fields
    if !fields.contains(.date) { fields.append(HTTPField(name: .date, value: server.date())) }
    if !isPassedOn { fields.append(missingFrom: server.commonFields) }
    fields.replace(by: server.fixedFields)
    if status != .noContent, status != .notModified, let length {
      // A correct length that is already there keeps its place.
      if fields[.contentLength] != String(length) { fields[.contentLength] = String(length) }
    }
    let hasBody = sendsBody(status)
    let response = OutgoingResponse(
      status: status, fields: fields, length: length, hasBody: hasBody, closesConnection: closesConnection)
    let sent = connection.begin(response, body: hasBody ? body : [])
    observer?.began(self, status, sent)
    if hasBody, !body.isEmpty { observer?.sent(body) }
    return true
  }
}

/// Why an exchange could not continue.
public enum HTTPExchangeError: Error, Sendable, Hashable {
  /// The peer closed the connection.
  case connectionClosed
  /// The response ended before the request. The rest of the request is not read.
  case responseSent
  /// The server has as many tunnels as it may have (``HTTPServerLimits/tunnels``).
  case tooManyTunnels
}
