import BridgeRuntime
import HTTP1
import HTTPTypes

/// One exchange on an HTTP/2 connection.
@BridgeActor
final class HTTP2ClientStream: HTTPClientCarrier {
  private let id: Int32
  /// The connection, until the stream is closed.
  private var connection: HTTP2ClientConnection?
  /// The exchange, until it has ended.
  private var exchange: HTTPClientExchange?
  private var response: HTTP2ResponseStateMachine
  /// The request's body.
  private var body: HTTP2QueuedBody
  private var isReading = true
  /// How many bytes of the response's body have arrived while reading was paused. The server may not send more in their
  /// place yet.
  private var unreadCount = 0
  private lazy var timer = StreamTimer { [weak self] in self?.timedOut() }

  init(_ id: Int32, _ exchange: HTTPClientExchange, on connection: HTTP2ClientConnection) {
    self.id = id
    self.exchange = exchange
    self.connection = connection
    body = HTTP2QueuedBody(hasEnded: !exchange.head.bodyFraming.hasBody)
    response = HTTP2ResponseStateMachine(method: exchange.head.method, limits: connection.limits.http)
  }

  /// Begins the exchange. The connection has queued its head.
  func begin() {
    timer.set(connection?.limits.responseTimeout)
    exchange?.begun(on: self)
  }

  // MARK: From the exchange

  var queuedByteCount: Int { body.count }
  let mayHandBack = true

  func sendBody(_ bytes: [UInt8]) {
    body.append(bytes)
    resume()
  }

  func endBody(trailers: HTTPFields) {
    body.end(trailers: trailers)
    resume()
  }

  func setReading(_ isReading: Bool) {
    self.isReading = isReading
    guard isReading, unreadCount > 0, let connection else { return }
    connection.session.consumed(unreadCount, of: id)
    unreadCount = 0
    connection.flush()
  }

  func close() { leave(.cancel) }

  // MARK: From the connection

  /// Takes the next bytes of the request's body.
  func nextBytes(into buffer: UnsafeMutableRawBufferPointer) -> HTTP2Session.Body { body.next(into: buffer) }

  /// Tells the exchange what was sent.
  func tellSent() {
    guard body.takeHasSent() else { return }
    restartTimer()
    exchange?.sent(remaining: queuedByteCount)
  }

  func received(_ fields: [HTTP2Field], endsStream: Bool) {
    if response.awaitsHead { exchange?.receivedHead(byteCount: fields.reduce(0) { $0 + $1.byteCount }) }
    perform(response.received(fields, endsStream: endsStream))
  }

  func received(_ bytes: UnsafeRawBufferPointer) {
    // Count first: the exchange may stop reading because of these bytes.
    unreadCount += bytes.count
    exchange?.receive(Array(bytes))
    guard isReading else { return }
    connection?.session.consumed(unreadCount, of: id)
    unreadCount = 0
  }

  func receivedEnd() { perform(response.receivedEnd()) }

  /// The stream is closed. If the response is incomplete, sends the request again where that is safe; otherwise fails.
  func closed(_ end: HTTP2StreamEnd) {
    let origin = connection?.origin
    detach()
    guard let exchange, let origin, let outcome = response.closed(end) else { return }
    self.exchange = nil
    switch outcome {
    case .handedBack: exchange.handedBack(.reset(origin: origin, .refusedStream))
    case .needsHTTP1: exchange.handedBack(.reset(origin: origin, .http11Required), needsHTTP1: true)
    case .reset(let code): exchange.fail(.reset(origin: origin, code))
    case .broken(let reason): exchange.fail(.invalidHTTP2(origin: origin, reason: reason))
    }
  }

  /// The connection has ended before the response was complete.
  ///
  /// - Parameters:
  ///   - reason: The rule of HTTP/2 that the server broke, as a clause; nil if it broke none.
  ///   - wasUsed: Whether the server has answered a request on the connection.
  func connectionEnded(reason: String?, wasUsed: Bool) {
    let origin = connection?.origin
    detach()
    guard let exchange, let origin else { return }
    self.exchange = nil
    if let reason {
      exchange.fail(.invalidHTTP2(origin: origin, reason: reason))
    } else if !response.awaitsHead {
      exchange.fail(.invalidResponse(origin: origin, .truncatedBody))
    } else if wasUsed, exchange.isRepeatable {
      exchange.connectionWasStale()
    } else {
      exchange.fail(.closed(origin: origin))
    }
  }

  // MARK: The response

  private func perform(_ actions: [HTTP2ResponseStateMachine.Action]) {
    for action in actions {
      switch action {
      case .informational(let head):
        restartTimer()
        exchange?.receive(head)
      case .head(let head):
        timer.set(nil)
        exchange?.receive(head)
      case .end(let trailers):
        let finished = exchange
        exchange = nil
        // The rest of the request is not needed (RFC 9113, section 8.1).
        if !body.hasEnded || queuedByteCount > 0 { connection?.session.reset(id, .cancel) }
        finished?.receiveEnd(trailers)
      case .refuse(let reason):
        let (refused, origin) = (exchange, connection?.origin)
        exchange = nil
        connection?.session.reset(id, .protocolError)
        if let origin { refused?.fail(.invalidHTTP2(origin: origin, reason: reason)) }
      }
    }
  }

  private func timedOut() {
    guard response.awaitsHead, let exchange, let connection else { return }
    self.exchange = nil
    exchange.fail(.timedOut(origin: connection.origin, connection.limits.responseTimeout ?? .zero))
    leave(.cancel)
  }

  /// Resets the stream, and forgets the exchange. nghttp2 closes the stream when it has sent the reset.
  private func leave(_ code: HTTP2ErrorCode) {
    exchange = nil
    timer.set(nil)
    connection?.session.reset(id, code)
    connection?.flush()
  }

  private func detach() {
    timer.set(nil)
    connection = nil
  }

  private func resume() {
    connection?.session.resume(id)
    restartTimer()
    connection?.flush()
  }

  /// Restarts the response timeout. It runs only while the server must take bytes of the request, or answer it.
  private func restartTimer() {
    guard exchange != nil, response.awaitsHead else { return }
    timer.set(body.hasEnded || queuedByteCount > 0 ? connection?.limits.responseTimeout : nil)
  }
}
