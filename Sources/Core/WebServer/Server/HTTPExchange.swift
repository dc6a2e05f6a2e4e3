public import BridgeRuntime
public import HTTP1
public import HTTPTypes

/// One request and its response.
///
/// A handler reads the body as it arrives, and answers in one of three ways: at once with ``respond(_:fields:body:)``,
/// in pieces with ``begin(_:fields:length:)``, ``write(_:)`` and ``finish(trailers:)``, or with
/// ``acceptWebSocket(subprotocol:)``. If a handler returns without an answer, the server sends 500. If it returns in
/// the middle of a response, the server closes the connection (or resets the HTTP/2 stream), so that the peer sees that
/// the response is incomplete.
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
    /// The head was sent. `remaining` is how many bytes of the body are missing; nil without a length.
    case begun(remaining: Int?)
    case ended
  }

  /// The request's head. After ``applyForwarded(_:)``, with the host that the client asked for.
  public private(set) var head: RequestHead {
    didSet { readings = nil }
  }
  /// Whether the client's connection uses TLS. Behind a proxy, this is the connection to the proxy, until
  /// ``applyForwarded(_:)``.
  public private(set) var isSecure: Bool {
    didSet { readings = nil }
  }
  /// What a layer above has read from ``head`` and ``isSecure``, so that it does not read them again. Nil once they have changed.
  package var readings: (any AnyObject & Sendable)?
  /// The CONNECT that the connection began with; nil for a direct connection.
  public var tunnel: ConnectTunnel? { connection.tunnel }
  /// The version of HTTP on the connection, such as `HTTP/2.0`. The head of an HTTP/2 request has the version HTTP/1.1.
  public var protocolName: String { connection.protocolName ?? head.version.rawValue }
  /// Whether to close the connection after the response, even if the client wants to keep it. Set it before the head is
  /// sent. Ignored in HTTP/2.
  public var closesConnection = false
  /// The client's original request, if a proxy has forwarded it.
  private var forwarded: ForwardedRequest?

  /// The trailers of the request; empty until ``nextBodyPiece()`` has returned nil.
  public private(set) var trailers = HTTPFields()
  /// Called once, when the peer ends its side of the connection before the response is complete, as a browser does when
  /// it no longer waits. A peer that only ends its sending side looks the same. If the connection has
  /// ended before, called at once.
  public var onDisconnect: (() -> Void)? {
    didSet { if isAborted, onDisconnect != nil { peerEnded() } }
  }

  /// Observes the exchange; nil for none. The exchange retains it until ``ExchangeObserver/ended(_:isComplete:)``.
  public var observer: (any ExchangeObserver)?

  /// Has the bodies of request and response pass slowly; nil to pass them at once. Set it before the body is read, and before the response
  /// begins.
  public var pace: (any NetworkPace)?
  /// Whether a whole response is still being sent at its pace.
  private var isSendingSlowly = false
  private var handlerHasReturned = false

  /// Whether the response comes from another server. If so, ``HTTPServer/commonFields`` are not added.
  public var isForwarded = false

  /// Whether to wait without a time limit for the peer to send the body and to read the response, for example while a
  /// browser's page is stopped at a breakpoint. If false, ``HTTPServerLimits/transferTimeout`` applies.
  public var hasNoTimeout = false {
    didSet { connection.expectationChanged() }
  }

  /// Takes the body before its reader does, once; nil for none.
  package var bodyFilter: (any RequestBodyFilter)?

  /// Whether the response waits for events, perhaps forever. Such a response does not count for
  /// ``HTTPServer/isAnswering`` and ``HTTPServer/onAnswer``.
  public var waitsForEvents = false

  private let connection: any ExchangeConnection
  let server: HTTPServer
  private var response = ResponseState.none
  private var status: HTTPResponse.Status?
  private let start = MonotonicTime.nanoseconds
  private var body = HTTPBodyBuffer()
  /// How many bytes ``collectBody(limit:)`` has collected.
  private var collectedByteCount = 0
  /// How many bytes a handler holds besides (``hold(_:)``).
  private var handlerByteCount = 0
  /// How many bytes are held: of the request's body, and by the handler.
  private(set) var heldByteCount = 0
  private var writer: CheckedContinuation<Void, any Error>?
  private(set) var isAborted = false
  /// Whether the peer has ended its side of the connection (``onDisconnect``).
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

  /// Makes another server's response the one to this request: `upstream` is cancelled when the client disconnects, and
  /// what is held for it counts here.
  package func follow(_ upstream: HTTPClientExchange) {
    onDisconnect = { upstream.cancel() }
    upstream.onHold = { [weak self] in self?.hold($0) }
  }

  // MARK: The request's body

  /// Reads the next piece of the request's body. The first call answers an `Expect: 100-continue`. Only one call may
  /// wait at a time.
  ///
  /// - Returns: The piece; nil at the end of the body.
  /// - Throws: ``HTTPExchangeError/connectionClosed`` when the connection ends first, and
  ///   ``HTTPExchangeError/responseSent`` after the response.
  public func nextBodyPiece() async throws -> [UInt8]? {
    while let filter = bodyFilter {
      guard let piece = try await nextReceivedPiece() else {
        bodyFilter = nil
        try filter.end()
        return nil
      }
      let passed = filter.receive(piece)
      if !passed.isEmpty { return observed(passed) }
    }
    return observed(try await nextReceivedPiece())
  }

  private func observed(_ piece: [UInt8]?) -> [UInt8]? {
    if let observer, let piece { observer.received(piece) }
    return piece
  }

  private func nextReceivedPiece() async throws -> [UInt8]? {
    let piece = try await nextPieceAtOnce()
    guard let pace, let piece else { return piece }
    let count = await pace.receive(piece.count)
    if count < piece.count { putBack([Array(piece.dropFirst(count))]) }
    return Array(piece.prefix(count))
  }

  private func nextPieceAtOnce() async throws -> [UInt8]? {
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
    countHeld()
    if body.byteCount < HTTPBodyBuffer.lowWater { connection.setReadingPaused(false) }
    return piece
  }

  /// Puts back pieces of the body, so that they are read again. No read may be waiting.
  package func putBack(_ pieces: [[UInt8]]) {
    body.putBack(pieces)
    countHeld()
  }

  /// Reads the whole body.
  ///
  /// - Parameter limit: The largest size, in bytes.
  /// - Returns: The body; nil when it is larger.
  /// - Throws: As ``nextBodyPiece()``.
  public func collectBody(limit: Int) async throws -> [UInt8]? {
    if case .length(let length) = head.bodyFraming, length > limit { return nil }
    var bytes: [UInt8] = []
    defer {
      collectedByteCount = 0
      countHeld()
    }
    while let piece = try await nextBodyPiece() {
      guard bytes.count + piece.count <= limit else { return nil }
      bytes += piece
      collectedByteCount = bytes.count
      countHeld()
    }
    return bytes
  }

  /// The client's IP address without the port. Nil when it is unknown, and once the connection is closed. After
  /// ``applyForwarded(_:)``, the address that the proxy reports.
  public var peerAddress: String? { forwarded.map(\.address) ?? connection.peerAddress }

  /// The IP address of the other end of the connection without the port, which may be a proxy's. Nil when it is
  /// unknown, and once the connection is closed.
  public var connectionAddress: String? { connection.peerAddress }

  /// Replaces the fields of the request.
  ///
  /// - Throws: `MessageDefect` when the request would not be valid. The request is then unchanged.
  public func replaceFields(_ fields: HTTPFields) throws(MessageDefect) {
    head = try RequestHead(method: head.method, target: head.target, version: head.version, fields: fields)
  }

  /// Applies what a trusted proxy reports about the client's request: ``isSecure``, ``peerAddress``, and the host in
  /// ``head``. With a host, an absolute request target becomes a path.
  ///
  /// - Throws: `MessageDefect` when the request would not be valid with this host.
  public func applyForwarded(_ original: ForwardedRequest) throws(MessageDefect) {
    if let authority = original.authority { try replaceHost(with: authority) }
    forwarded = original
    isSecure = original.isSecure ?? isSecure
  }

  private func replaceHost(with authority: Authority) throws(MessageDefect) {
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

  /// Sends an informational response (1xx; RFC 9110, section 15.2) before the final one. Does nothing for an HTTP/1.0
  /// client, and once the final response has begun.
  public func inform(_ status: HTTPResponse.Status, fields: HTTPFields = HTTPFields()) {
    guard case .none = response, !isAborted, head.version >= .http11, status.kind == .informational else { return }
    connection.inform(status, fields: fields)
  }

  /// Sends a complete response. Adds `Date`, `Content-Length` and, if needed, `Connection`, and the fields of the
  /// server (``HTTPServer/commonFields``, ``HTTPServer/fixedFields``). Does nothing if a response has begun or the peer
  /// has gone.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - fields: The fields.
  ///   - body: The body. It is not sent in response to HEAD, nor with status 204 or 304.
  public func respond(_ status: HTTPResponse.Status, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
    if pace != nil, !body.isEmpty { return respondSlowly(status, fields, body) }
    guard sendHead(status, fields, length: body.count, body: body) else { return }
    end()
  }

  private func respondSlowly(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ body: [UInt8]) {
    guard case .none = response else { return }
    begin(status, fields: fields, length: body.count)
    guard case .begun = response else { return }
    isSendingSlowly = true
    BridgeActor.begin { [self] in
      // `finish` cuts the response if the peer has gone.
      try? await write(body)
      finish()
      isSendingSlowly = false
      if handlerHasReturned { handlerReturned() }
    }
  }

  /// Sends the head of a response whose body follows in pieces. Adds the same fields as ``respond(_:fields:body:)``,
  /// and does nothing in the same cases.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - fields: The fields.
  ///   - length: The size of the body in bytes; nil if it is not known yet. The body is then chunked or, for an
  ///     HTTP/1.0 client, ends with the connection.
  public func begin(_ status: HTTPResponse.Status, fields: HTTPFields = HTTPFields(), length: Int? = nil) {
    guard sendHead(status, fields, length: length) else { return }
    response = .begun(remaining: sendsBody(status) ? length : 0)
  }

  /// Sends a piece of the body, and waits while the peer reads too slowly. Does not send bytes beyond the announced
  /// length, nor a body in response to HEAD. Only one call may wait at a time.
  ///
  /// - Throws: ``HTTPExchangeError/connectionClosed`` once the connection has ended.
  public func write(_ bytes: [UInt8]) async throws {
    guard let pace else {
      if try writeAtOnce(bytes) { try await waitForPeer() }
      return
    }
    var rest = bytes[...]
    while !rest.isEmpty, case .begun(let remaining) = response, remaining != 0 {
      let count = await pace.send(rest.count)
      if try writeAtOnce(Array(rest.prefix(count))) { try await waitForPeer() }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends a piece of the body. Returns whether the peer reads too slowly, so that the next piece must wait.
  private func writeAtOnce(_ bytes: [UInt8]) throws -> Bool {
    guard !isAborted else { throw HTTPExchangeError.connectionClosed }
    guard case .begun(let remaining) = response else { return false }
    let part = remaining.map { bytes.count <= $0 ? bytes : Array(bytes.prefix($0)) } ?? bytes
    guard !part.isEmpty else { return false }
    connection.write(part)
    observer?.sent(part)
    response = .begun(remaining: remaining.map { $0 - part.count })
    return connection.queuedByteCount > Self.highWater
  }

  private func waitForPeer() async throws {
    try await withCheckedThrowingContinuation { writer = $0 }
  }

  /// Ends the response. If fewer bytes were written than announced, closes the connection or resets the HTTP/2 stream
  /// instead. HTTP/1.1 sends trailers only with a chunked body (RFC 9110, section 6.5).
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
    body.removeAll()
    countHeld()
    connection.end(trailers: trailers)
  }

  /// Closes the connection, or resets the HTTP/2 stream, without an answer or in the middle of one.
  public func cut() {
    response = .ended
    onDisconnect = nil
    countHeld()
    connection.cut()
  }

  /// Makes the connection a WebSocket (RFC 6455).
  ///
  /// - Parameter subprotocol: One of the subprotocols that the client offered; nil for none.
  /// - Returns: The WebSocket. Set its callbacks before the handler suspends.
  /// - Throws: ``WebSocketHandshakeError`` when the request is not a valid handshake, or did not offer `subprotocol`;
  ///   the exchange can then still be answered. ``HTTPExchangeError/connectionClosed`` when a response has begun, or
  ///   the connection is closing or uses HTTP/2.
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

  /// The connection, if it uses HTTP/1.1. Only such a connection can become a tunnel or a WebSocket.
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

  /// Tells the observer about a response that ends HTTP on the connection.
  private func observeSwitch(_ status: HTTPResponse.Status) {
    countHeld()
    observer?.began(self, status, [:])
    endObservation(isComplete: true)
  }

  private func endObservation(isComplete: Bool) {
    observer?.ended(self, isComplete: isComplete)
    observer = nil
  }

  // MARK: From the connection

  func receive(_ bytes: [UInt8]) {
    if case .ended = response { return }
    mustContinue = false
    body.append(bytes)
    countHeld()
    if body.byteCount > HTTPBodyBuffer.highWater { connection.setReadingPaused(true) }
  }

  func receiveEnd(_ trailers: HTTPFields) {
    hasWholeBody = true
    self.trailers = trailers
    body.end()
  }

  /// How long to wait for the peer, which must send more of the body or read the response; nil when it has nothing to
  /// do, or has no limit (``hasNoTimeout``).
  func peerTimeout(isReading: Bool) -> Duration? {
    let awaitsBody = isReading && !hasWholeBody && !mustContinue
    return !hasNoTimeout && (awaitsBody || connection.queuedByteCount > 0) ? server.limits.transferTimeout : nil
  }

  /// The peer sends nothing more.
  func peerEnded() {
    peerHasEnded = true
    let onDisconnect = onDisconnect
    self.onDisconnect = nil
    onDisconnect?()
  }

  /// Some of the response was sent; this many bytes are still queued.
  func sent(remaining: Int) {
    if remaining < Self.lowWater, let writer {
      self.writer = nil
      writer.resume()
    }
  }

  /// Ends all waits, since the connection has ended.
  func abort() {
    isAborted = true
    countHeld()
    endObservation(isComplete: false)
    body.fail(HTTPExchangeError.connectionClosed)
    writer?.resume(throwing: HTTPExchangeError.connectionClosed)
    writer = nil
    peerEnded()
  }

  /// Answers or cuts an exchange that its handler has left unfinished.
  func handlerReturned() {
    handlerHasReturned = true
    if isSendingSlowly { return }
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
    connection.handlerReturned()
  }

  /// Counts what the handler holds for the exchange until it ends, such as another server's response.
  package func hold(_ byteCount: Int) {
    handlerByteCount = byteCount
    countHeld()
  }

  private func countHeld() {
    let isOver = if case .ended = response { true } else { false }
    let count = isAborted ? 0 : body.byteCount + collectedByteCount + (isOver ? 0 : handlerByteCount)
    guard count != heldByteCount else { return }
    let change = count - heldByteCount
    heldByteCount = count
    server.held.change(by: change)
  }

  // MARK: Heads

  private static let highWater = 256 << 10
  private static let lowWater = 64 << 10

  private func sendsBody(_ status: HTTPResponse.Status) -> Bool {
    head.method != .head && status != .noContent && status != .notModified && status.kind != .informational
  }

  /// Sends the head of the final response with its first bytes. Returns false if a response has begun, or the peer has
  /// gone.
  private func sendHead(_ status: HTTPResponse.Status, _ fields: HTTPFields, length: Int?, body: [UInt8] = []) -> Bool {
    guard case .none = response, !isAborted else { return false }
    self.status = status
    var fields = fields
    if !fields.contains(.date) { fields.append(HTTPField(name: .date, value: server.date())) }
    if !isForwarded { fields.append(missingFrom: server.commonFields) }
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
  /// The response is complete, but the request is not. The rest of the request is discarded.
  case responseSent
  /// The limit of tunnels is reached (``HTTPServerLimits/tunnels``).
  case tooManyTunnels
}
