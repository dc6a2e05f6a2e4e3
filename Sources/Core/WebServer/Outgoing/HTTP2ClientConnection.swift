import BridgeRuntime
import HTTP1
import HTTPTypes

/// An HTTP/2 connection to a server, with its exchanges.
@BridgeActor
final class HTTP2ClientConnection: ByteStreamDelegate, HTTP2SessionDelegate {
  /// The server.
  let origin: HTTPOrigin
  let limits: HTTPClientLimits
  /// Reads and writes the frames.
  let session: HTTP2Session

  private let stream: any ByteStream
  private weak var pool: HTTP2ClientPool?
  private var machine: HTTP2ClientStateMachine
  private var streams: [Int32: HTTP2ClientStream] = [:]
  /// Whether the server has answered a request on this connection.
  private var hasAnswered = false
  /// Whether nghttp2 is reading or writing. Its functions that do so must not be called from its callbacks.
  private var isBusy = false
  /// Waits for the settings, or for the answer to a ping.
  private lazy var timer = StreamTimer { [weak self] in self?.signOfLifeMissing() }

  /// Creates the connection.
  /// - Throws: ``HTTP2NoMemory``. The stream is open then.
  init(
    _ stream: any ByteStream, origin: HTTPOrigin, limits: HTTPClientLimits, pool: HTTP2ClientPool
  ) throws(HTTP2NoMemory) {
    session = try HTTP2Session(.client, fieldBytes: limits.http.headBytes, fieldCount: limits.http.fieldCount)
    self.stream = stream
    self.origin = origin
    self.limits = limits
    machine = HTTP2ClientStateMachine(at: .now, silence: limits.silence)
    self.pool = pool
    session.delegate = self
    stream.delegate = self
    stream.setTimer(limits.idleTimeout)
    timer.set(Self.settingsTime)
  }

  // MARK: From the pool

  /// How many more requests the connection takes now.
  var room: Int { machine.room }

  /// Whether it may soon take more (``HTTP2ClientStateMachine/isPending``).
  var isPending: Bool { machine.isPending }

  /// Begins an exchange. If the connection takes no more, hands the exchange back to the client.
  func begin(_ exchange: HTTPClientExchange) {
    guard let fields = HTTP2FieldSection(exchange.head) else { return exchange.fail(.invalidRequest(.invalidTarget)) }
    guard !machine.isEnding, let id = session.request(fields, hasBody: exchange.head.bodyFraming.hasBody) else {
      machine.beganEnding()
      pool?.ended(self)
      return exchange.handedBack(.closed(origin: origin))
    }
    machine.began()
    stream.setTimer(nil)
    let stream = HTTP2ClientStream(id, exchange, on: self)
    streams[id] = stream
    stream.begin()
    flush()
  }

  /// Sends a ping if the connection has been silent for too long. Until the answer arrives, it takes no requests.
  func check() {
    guard machine.needsCheck(at: .now) else { return }
    timer.set(limits.pingTimeout)
    session.ping()
    flush()
    pool?.changed(self)
  }

  /// Closes the connection. Its open exchanges fail, or are sent again.
  func close() {
    stream.finishWriting()
    stream.close()
  }

  // MARK: From the stream

  func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    machine.heard(at: .now)
    isBusy = true
    let isValid = session.receive(bytes)
    isBusy = false
    flush()
    if !isValid || !session.wantsMore { end() }
  }

  func streamReceivedEnd() { end() }

  func streamSent() { flush() }

  /// The idle time is over.
  func streamTimerFired() {
    guard streams.isEmpty else { return }
    session.goAway()
    flush()
    end()
  }

  func streamClosed() {
    timer.set(nil)
    machine.beganEnding()
    pool?.ended(self)
    let open = streams.values
    streams = [:]
    for stream in open { stream.connectionEnded(reason: session.failure, wasUsed: hasAnswered) }
    pool?.closed(self)
  }

  /// Sends nghttp2's output until enough bytes are queued (``highWater``), and tells the exchanges what was sent.
  func flush() {
    guard !isBusy else { return }
    isBusy = true
    while stream.queuedByteCount < Self.highWater, let bytes = session.nextOutput() { stream.write(bytes) }
    isBusy = false
    for stream in streams.values { stream.tellSent() }
    if session.isOver || (machine.isEnding && streams.isEmpty) { end() }
  }

  // MARK: From the session

  func received(_ fields: [HTTP2Field], on id: Int32, endsStream: Bool) {
    hasAnswered = true
    streams[id]?.received(fields, endsStream: endsStream)
  }

  func received(_ bytes: UnsafeRawBufferPointer, on id: Int32) {
    guard let stream = streams[id] else { return session.consumed(bytes.count, of: id) }
    stream.received(bytes)
  }

  func receivedEnd(on id: Int32) { streams[id]?.receivedEnd() }

  func closed(_ id: Int32, _ end: HTTP2StreamEnd) {
    guard let stream = streams.removeValue(forKey: id) else { return }
    machine.ended()
    if streams.isEmpty { self.stream.setTimer(limits.idleTimeout) }
    pool?.changed(self)
    stream.closed(end)
  }

  func nextBytes(of id: Int32, into buffer: UnsafeMutableRawBufferPointer) -> HTTP2Session.Body {
    streams[id]?.nextBytes(into: buffer) ?? .end(0)
  }

  func receivedSettings(streamLimit: Int) {
    machine.receivedSettings(streamLimit: streamLimit)
    if !machine.isPending { timer.set(nil) }
    pool?.changed(self)
  }

  func receivedPong() {
    machine.receivedPong()
    timer.set(nil)
    pool?.changed(self)
  }

  func receivedGoAway(_ code: HTTP2ErrorCode) {
    machine.beganEnding()
    if code == .http11Required { pool?.needsHTTP1() }
    pool?.ended(self)
  }

  /// The settings, or the answer to a ping, did not arrive in time. Begins no further exchanges; open ones may
  /// continue.
  private func signOfLifeMissing() {
    guard machine.timedOut() else { return }
    pool?.ended(self)
    session.goAway()
    flush()
  }

  private func end() {
    machine.beganEnding()
    pool?.ended(self)
    close()
  }

  /// With this many queued bytes, nghttp2's output waits.
  private static let highWater = 256 << 10
  /// How long a server may take to send its settings, the first frame that it sends.
  private static let settingsTime = Duration.seconds(10)
}
