import BridgeRuntime
import HTTP1
import HTTPTypes

/// One request and its response on an HTTP/2 connection (RFC 9113, section 8.1).
@BridgeActor
final class HTTP2Stream: ExchangeConnection {
  private let id: Int32
  private let server: HTTPServer
  /// The connection, until the stream is closed.
  private var owner: HTTP2Connection?
  /// The connection, until the handler has returned.
  private weak var handlerOwner: HTTP2Connection?
  /// The exchange, until the stream is closed.
  private(set) var exchange: HTTPExchange?
  /// The response's body.
  private var body = HTTP2QueuedBody()
  /// How many bytes of the response are counted as held.
  private var countedByteCount = 0
  private var isReading = true
  /// How many bytes of the request's body have arrived while reading was paused. The client may not send more in their
  /// place yet.
  private var unreadCount = 0
  private var requestHasEnded: Bool
  private lazy var timer = StreamTimer { [weak self] in self?.timedOut() }

  /// Creates the stream of a request.
  init(_ id: Int32, hasBody: Bool, owner: HTTP2Connection, server: HTTPServer) {
    self.id = id
    self.owner = owner
    handlerOwner = owner
    self.server = server
    requestHasEnded = !hasBody
  }

  /// Lets the server answer the request.
  func begin(_ head: RequestHead) {
    let exchange = HTTPExchange(head: head, connection: self, server: server)
    self.exchange = exchange
    if requestHasEnded { exchange.receiveEnd([:]) }
    expectationChanged()
    server.handle(exchange)
  }

  /// Refuses a request that breaks a rule.
  func refuse(_ error: RequestError) {
    if error.isTooLarge { server.onLimit?(.requestBytes) }
    refuse(error.status, error.description)
  }

  /// Answers a request that is not acceptable. If its response has begun, cuts it instead.
  private func refuse(_ status: HTTPResponse.Status, _ text: String) {
    let hasBegun = exchange?.hasBegun ?? false
    exchange?.abort()
    exchange = nil
    guard !hasBegun else { return cut() }
    let refusal = server.refusal(status, text)
    owner?.session.respond(HTTP2FieldSection(refusal.status, refusal.fields), hasBody: true, on: id)
    body.append(refusal.body)
    countHeld()
    end(trailers: [:])
    // From now on, there is no exchange that says how long the client may take.
    timer.set(server.limits.transferTimeout)
  }

  /// How many bytes the stream holds (``HeldBytes``).
  var heldByteCount: Int { body.heldByteCount + (exchange?.heldByteCount ?? 0) }

  /// Frees the bytes that the stream holds: refuses the request or, if its response has begun, cuts it.
  func release() {
    if exchange == nil { cut() } else { refuse(.serviceUnavailable, HTTPServer.fullText) }
  }

  private func countHeld() {
    server.held.change(by: body.heldByteCount - countedByteCount)
    countedByteCount = body.heldByteCount
  }

  /// Whether the request is being answered (``HTTPServer/isAnswering``).
  var isAnswering: Bool { !(exchange?.waitsForEvents ?? false) }

  // MARK: For the exchange

  let protocolName: String? = "HTTP/2.0"
  let isSecure = true
  var tunnel: ConnectTunnel? { owner?.tunnel }
  var peerAddress: String? { owner?.peerAddress }
  /// The end of the response counts as a byte, since the client's window may hold it back, too.
  var queuedByteCount: Int { body.count + (body.hasEnded && !body.endIsTaken ? 1 : 0) }

  func setReadingPaused(_ isPaused: Bool) {
    guard isReading == isPaused else { return }
    isReading = !isPaused
    expectationChanged()
    guard isReading, unreadCount > 0, let owner else { return }
    owner.session.consumed(unreadCount, of: id)
    unreadCount = 0
    owner.flushSoon()
  }

  func expectationChanged() {
    guard let exchange else { return }
    timer.set(owner == nil ? nil : exchange.peerTimeout(isReading: isReading))
  }

  func inform(_ status: HTTPResponse.Status, fields: HTTPFields) {
    owner?.session.inform(HTTP2FieldSection(status, fields), on: id)
    owner?.flushSoon()
  }

  func begin(_ response: OutgoingResponse, body first: [UInt8]) -> HTTPFields {
    let hasBody = response.hasBody && response.length != 0
    if !hasBody { body = HTTP2QueuedBody(hasEnded: true) }
    owner?.session.respond(HTTP2FieldSection(response.status, response.fields), hasBody: hasBody, on: id)
    write(first)
    return response.fields
  }

  func write(_ bytes: [UInt8]) {
    body.append(bytes)
    countHeld()
    owner?.session.resume(id)
    owner?.flushSoon()
  }

  func end(trailers: HTTPFields) {
    body.end(trailers: trailers)
    owner?.session.resume(id)
    if !requestHasEnded { owner?.endsEarly(id) }
    owner?.flushSoon()
  }

  /// Resets the stream if a part of the response is missing or was not sent, so that the client sees that it is incomplete.
  func cut() {
    guard let owner else { return }
    if !body.hasEnded || queuedByteCount > 0 { owner.session.reset(id, .internalError) }
    owner.flushSoon()
    ended()
  }

  func handlerReturned() {
    handlerOwner?.handlerReturned()
    handlerOwner = nil
  }

  // MARK: From the connection

  /// A piece of the request's body has arrived.
  func received(_ bytes: UnsafeRawBufferPointer) {
    guard let owner else { return }
    if isReading { owner.session.consumed(bytes.count, of: id) } else { unreadCount += bytes.count }
    exchange?.receive(Array(bytes))
    expectationChanged()
  }

  /// The request is complete.
  func receivedEnd(_ trailers: [HTTP2Field] = []) {
    guard !requestHasEnded, let exchange else { return }
    requestHasEnded = true
    let trailers = HTTPFields(trailers: trailers)
    guard trailers.mayBeTrailers else { return refuse(RequestError(.forbiddenTrailer)) }
    exchange.receiveEnd(trailers)
    expectationChanged()
  }

  /// Takes the next bytes of the response's body.
  func nextBytes(into buffer: UnsafeMutableRawBufferPointer) -> HTTP2Session.Body {
    defer { countHeld() }
    return body.next(into: buffer)
  }

  /// The connection has sent what it could. Tells the exchange what was sent.
  func flushed() {
    let hasSent = body.takeHasSent()
    // The client's time to read begins when the first bytes are queued.
    if hasSent || queuedByteCount > 0 && !timer.isSet { expectationChanged() }
    if hasSent { exchange?.sent(remaining: queuedByteCount) }
  }

  /// The stream or its connection is closed, by either side.
  func ended() {
    guard let owner else { return }
    timer.set(nil)
    self.owner = nil
    owner.closed(self, id)
    let isComplete = body.hasEnded
    body = HTTP2QueuedBody(hasEnded: true)
    countHeld()
    if isComplete { exchange?.peerEnded() } else { exchange?.abort() }
    exchange = nil
  }

  private func timedOut() {
    server.onLimit?(.slowTransfer)
    guard exchange != nil else { return cut() }
    refuse(.requestTimeout, "No bytes of the request's body arrived within \(server.limits.transferTimeout).")
  }
}
