import BridgeRuntime
public import HTTP1
import HTTPTypes

/// One accepted connection. It parses HTTP/1.1 requests and answers them in order. If the client has chosen HTTP/2, it
/// forwards all bytes to an ``HTTP2Connection``.
///
/// libwebsockets gets the connection only once the handler has accepted a WebSocket on it
/// (``HTTPExchange/acceptWebSocket(subprotocol:)``).
@BridgeActor
final class HTTPConnection: ByteStreamDelegate, ExchangeConnection, ByteHolder {
  private enum Phase {
    /// Between requests: no byte of the next one has arrived.
    case idle
    /// Within a head.
    case readingHead
    /// A request is being handled.
    case exchanging(HTTPExchange)
    /// The last response is queued or sent. Further bytes are read and discarded.
    case lingering(LingerStateMachine)
    /// Another protocol has taken over. The stream's events go to its delegate.
    case switched(any ByteStreamDelegate)
    /// The client uses HTTP/2. The stream's events go to this object.
    case multiplexed(HTTP2Connection)
    /// The stream has another owner, or is closed.
    case gone
  }

  /// Whether the connection uses TLS.
  let isSecure: Bool
  /// The CONNECT that the connection began with; nil for a direct connection.
  let tunnel: ConnectTunnel?
  let server: HTTPServer
  let stream: any ByteStream
  private var machine: ServerConnectionStateMachine
  private var phase = Phase.idle
  private var readingIsPaused = false
  /// Whether the body of the open response is chunked.
  private var isChunked = false
  /// Whether the connection closes after the open response, whose head says so.
  private var isClosing = false
  /// How many received bytes are not parsed yet.
  private var inputByteCount = 0 {
    didSet { if inputByteCount != oldValue { server.held.change(by: inputByteCount - oldValue) } }
  }
  /// Whether ``release()`` has closed the connection.
  private var isReleased = false
  /// Whether the peer sends nothing more.
  private(set) var peerHasEnded = false
  /// Whether a part of the last response is still queued, so that the peer has the time of a transfer.
  private var peerStillReads = false

  init(server: HTTPServer, stream: any ByteStream, isSecure: Bool, tunnel: ConnectTunnel? = nil) {
    self.tunnel = tunnel
    self.server = server
    self.stream = stream
    self.isSecure = isSecure
    machine = ServerConnectionStateMachine(limits: server.limits.http)
    stream.delegate = self
    stream.setTimer(server.limits.headTimeout)
  }

  // MARK: From the stream

  func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    if let successor { return successor.streamReceived(bytes) }
    if case .idle = phase, machine.isIdle, stream.isHTTP2 {
      let created = try? HTTP2Connection(stream, server: server, tunnel: tunnel) { [weak self] in self?.linger() }
      guard let multiplexed = created else {
        server.onLimit?(.memory)
        return cut()
      }
      phase = .multiplexed(multiplexed)
      return multiplexed.streamReceived(bytes)
    }
    if case .lingering(var linger) = phase {
      linger.received()
      phase = .lingering(linger)
      return
    }
    machine.receive(bytes)
    process()
  }

  func streamReceivedEnd() {
    peerHasEnded = true
    if let successor { return successor.streamReceivedEnd() }
    if case .lingering = phase { return perform { $0.peerEnded(queued: $1) } }
    machine.receiveEnd()
    process()
    currentExchange?.peerEnded()
  }

  func streamSent() {
    if let successor { return successor.streamSent() }
    switch phase {
    case .exchanging(let exchange):
      expectationChanged()
      exchange.sent(remaining: stream.queuedByteCount)
    case .idle where peerStillReads: awaitPeer()
    case .lingering: perform { $0.sent(queued: $1) }
    default: break
    }
  }

  func streamTimerFired() {
    switch phase {
    case .idle where peerStillReads:
      server.onLimit?(.slowTransfer)
      stream.close()
    case .idle: closeIdle()
    case .lingering:
      let undelivered = stream.undeliveredByteCount
      perform { $0.timerFired(queued: $1, undelivered: undelivered) }
    case .readingHead:
      server.onLimit?(.slowHead)
      refuse(.requestTimeout, "The request's head did not arrive within \(server.limits.headTimeout).")
    case .exchanging(let exchange):
      server.onLimit?(.slowTransfer)
      guard !exchange.hasBegun else { return stream.close() }
      refuse(.requestTimeout, "No bytes of the request's body arrived within \(server.limits.transferTimeout).")
    case .switched, .multiplexed: successor?.streamTimerFired()
    case .gone: stream.close()
    }
  }

  func streamClosed() {
    switch phase {
    case .exchanging(let exchange): exchange.abort()
    case .switched, .multiplexed: successor?.streamClosed()
    default: break
    }
    phase = .gone
    inputByteCount = 0
    server.connectionEnded(self)
  }

  // MARK: From the exchange

  /// Nil, since the request's head has the version.
  let protocolName: String? = nil
  var peerAddress: String? { stream.peerAddress }
  var queuedByteCount: Int { stream.queuedByteCount }

  /// Sends bytes as they are, without chunking.
  func send(_ bytes: [UInt8]) {
    stream.write(bytes)
    if stream.queuedByteCount > 0 { expectationChanged() }
  }

  func inform(_ status: HTTPResponse.Status, fields: HTTPFields) {
    send(HeadEncoder.encode(status, fields: fields))
  }

  func begin(_ response: OutgoingResponse, body: [UInt8]) -> HTTPFields {
    guard let version = currentExchange?.head.version else { return response.fields }
    let isFramed = response.length != nil || !response.hasBody
    isChunked = !isFramed && version >= .http11
    isClosing = response.closesConnection || machine.shouldClose || server.isDraining || !isFramed && !isChunked
    var fields = response.fields
    if isChunked { fields[.transferEncoding] = "chunked" }
    if isClosing {
      fields[.connection] = "close"
    } else if version < .http11 {
      fields[.connection] = "keep-alive"
    }
    let head = HeadEncoder.encode(response.status, fields: fields)
    send(body.isEmpty ? head : head + body)
    return fields
  }

  func write(_ bytes: [UInt8]) {
    send(isChunked ? ChunkedEncoder.chunk(bytes) : bytes)
  }

  func end(trailers: HTTPFields) {
    guard case .exchanging = phase else { return }
    if isChunked { send(ChunkedEncoder.end(trailers: trailers)) }
    isChunked = false
    if isClosing || server.isStopping { return linger() }
    phase = .idle
    machine.responseSent()
    awaitPeer()
    setReadingPaused(false)
    process()
  }

  func cut() {
    stream.close()
  }

  func handlerReturned() {}

  func setReadingPaused(_ isPaused: Bool) {
    guard isPaused != readingIsPaused else { return }
    readingIsPaused = isPaused
    stream.setReading(!isPaused)
    expectationChanged()
  }

  /// Hands the connection over to another owner. Nil if the stream cannot be detached
  /// (``ByteStream/detachDescriptor()``).
  ///
  /// - Returns: The descriptor, and the bytes that were read after the request.
  func detach() -> (descriptor: Int32, remainder: [UInt8])? {
    guard let descriptor = stream.detachDescriptor() else { return nil }
    phase = .gone
    return (descriptor, takeRemainder())
  }

  /// Serves the requests inside a tunnel on this stream, after the answer to the CONNECT.
  func serve(as tunnel: ConnectTunnel, tls: TLSContext?) {
    phase = .gone
    setReadingPaused(false)
    server.serve(stream, remainder: takeRemainder(), isAtEnd: peerHasEnded, as: tunnel, tls: tls)
    server.connectionEnded(self)
  }

  /// Ends HTTP on the connection after the head of the open response. From now on, the stream's events go to
  /// `successor`.
  ///
  /// - Returns: The bytes that were read after the request.
  func switchProtocols(to successor: any ByteStreamDelegate) -> [UInt8] {
    phase = .switched(successor)
    stream.setTimer(nil)
    setReadingPaused(false)
    return takeRemainder()
  }

  private func takeRemainder() -> [UInt8] {
    inputByteCount = 0
    return machine.takeRemainder()
  }

  /// How many bytes the connection holds (``HeldBytes``).
  var heldByteCount: Int {
    if isReleased { return 0 }
    return switch phase {
    case .exchanging(let exchange): stream.heldByteCount + inputByteCount + exchange.heldByteCount
    case .multiplexed(let connection): stream.heldByteCount + connection.heldByteCount
    case .gone: 0
    case .idle, .readingHead, .lingering, .switched: stream.heldByteCount + inputByteCount
    }
  }

  /// Refuses the open request or, if its response has begun, closes the connection.
  func release() {
    switch phase {
    case .exchanging(let exchange) where !exchange.hasBegun: refuse(.serviceUnavailable, HTTPServer.fullText)
    case .multiplexed(let connection) where connection.release(): break
    default:
      isReleased = true
      stream.close()
    }
  }

  /// Whether no request is open or arriving, so that the connection can be closed without loss.
  var isIdle: Bool {
    switch phase {
    case .idle: stream.queuedByteCount == 0
    case .multiplexed(let connection): connection.isIdle
    default: false
    }
  }

  /// Whether a request is being answered, or a part of the response is still queued (``HTTPServer/isAnswering``).
  var isAnswering: Bool {
    switch phase {
    case .exchanging(let exchange): !exchange.waitsForEvents
    case .idle, .readingHead: queuedByteCount > 0
    case .lingering: stream.undeliveredByteCount > 0
    case .multiplexed(let connection): connection.isAnswering
    case .switched, .gone: false
    }
  }

  /// The open exchanges.
  var exchanges: [HTTPExchange] {
    switch phase {
    case .exchanging(let exchange): [exchange]
    case .multiplexed(let connection): connection.exchanges
    case .idle, .readingHead, .lingering, .switched, .gone: []
    }
  }

  /// Tells an HTTP/2 client to send no further requests. On HTTP/1.1, the head of the next response says so, since
  /// ``HTTPServer/isDraining`` is true.
  func drain() {
    if case .multiplexed(let connection) = phase { connection.stop() }
  }

  /// Closes the connection. One with an open or queued response closes after it.
  func stop() {
    switch phase {
    case .idle, .readingHead: closeIdle()
    case .lingering where stream.undeliveredByteCount > 0: break
    case .lingering, .switched: stream.close()
    case .multiplexed(let connection): connection.stop()
    case .exchanging, .gone: break
    }
  }

  /// The delegate to which the stream's events go instead.
  private var successor: (any ByteStreamDelegate)? {
    switch phase {
    case .switched(let successor): successor
    case .multiplexed(let connection): connection
    default: nil
    }
  }

  // MARK: Requests

  private func process() {
    defer { inputByteCount = machine.bufferedByteCount }
    while true {
      switch phase {
      case .gone, .switched, .multiplexed: return
      default: break
      }
      switch machine.nextAction() {
      case .needsMoreBytes: return waitForBytes()
      case .awaitsResponse:
        expectationChanged()
        return setReadingPaused(!machine.wantsBytes)
      case .head(let head): begin(head)
      case .body(let bytes): currentExchange?.receive(bytes)
      case .end(let trailers): currentExchange?.receiveEnd(trailers)
      case .refuse(let error):
        if error.isTooLarge { server.onLimit?(.requestBytes) }
        return refuse(error.status, error.description)
      case .closed:
        switch phase {
        // A response may still be queued, and the client may still send the request that it has answered.
        case .idle, .readingHead: linger()
        case .exchanging, .lingering, .switched, .multiplexed, .gone: break
        }
        return
      }
    }
  }

  func expectationChanged() {
    guard let exchange = currentExchange else { return }
    stream.setTimer(exchange.peerTimeout(isReading: !readingIsPaused))
  }

  private var currentExchange: HTTPExchange? {
    if case .exchanging(let exchange) = phase { exchange } else { nil }
  }

  private func waitForBytes() {
    switch phase {
    case .idle where !machine.isIdle:
      phase = .readingHead
      stream.setTimer(server.limits.headTimeout)
    case .exchanging: expectationChanged()
    default: break
    }
  }

  private func begin(_ head: RequestHead) {
    let exchange = HTTPExchange(head: head, connection: self, server: server)
    phase = .exchanging(exchange)
    stream.setTimer(nil)
    server.handle(exchange)
  }

  /// Answers a request that is not acceptable, and closes the connection.
  func refuse(_ status: HTTPResponse.Status, _ text: String) {
    if let exchange = currentExchange, exchange.hasBegun {
      // A truncated response is better than two responses to one request.
      exchange.abort()
      return stream.close()
    }
    currentExchange?.abort()
    stream.write(server.refusal(status, text).encoded)
    linger()
  }

  /// Ends the sending side, and closes the connection when the peer has read everything (``LingerStateMachine``).
  private func linger() {
    phase = .lingering(
      LingerStateMachine(transferTimeout: server.limits.transferTimeout, peerHasEnded: peerHasEnded))
    readingIsPaused = false
    inputByteCount = 0
    if !peerHasEnded { stream.setReading(true) }
    stream.finishWriting()
    perform { $0.begin(queued: $1) }
  }

  private func perform(_ event: (inout LingerStateMachine, _ queued: Int) -> LingerStateMachine.Action) {
    guard case .lingering(var linger) = phase else { return }
    let action = event(&linger, stream.queuedByteCount)
    phase = .lingering(linger)
    switch action {
    case .wait(let duration): stream.setTimer(duration)
    case .close: stream.close()
    case .cut:
      server.onLimit?(.slowTransfer)
      stream.close()
    }
  }

  /// Closes a connection without an open request.
  private func closeIdle() {
    if stream.undeliveredByteCount > 0 { return linger() }
    // With TLS, this sends close_notify: the peer knows that nothing is missing.
    stream.finishWriting()
    stream.close()
  }

  /// Waits for the peer to read the rest of the response, then for its next request.
  private func awaitPeer() {
    peerStillReads = stream.queuedByteCount > 0
    stream.setTimer(peerStillReads ? server.limits.transferTimeout : server.limits.keepAliveTimeout)
  }
}

/// What a proxy reports about the client's original request (``HTTPExchange/applyForwarded(_:)``).
public struct ForwardedRequest: Sendable, Hashable {
  /// Whether the client's connection uses TLS; nil if the proxy does not say.
  public var isSecure: Bool?
  /// The host that the client asked for; nil if the proxy does not say.
  public var authority: Authority?
  /// The client's IP address without the port; nil if the proxy does not say.
  public var address: String?
  /// Whether the proxy says that it hides the client's address.
  public var isAddressHidden = false

  /// Creates a value without any information.
  public init() {}
}
