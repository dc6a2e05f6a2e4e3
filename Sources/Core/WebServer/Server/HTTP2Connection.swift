import BridgeRuntime
import HTTP1

/// The server's side of an HTTP/2 connection. Each request on it has an ``HTTP2Stream``.
@BridgeActor
final class HTTP2Connection: ByteStreamDelegate, HTTP2SessionDelegate {
  /// Reads and writes the frames.
  let session: HTTP2Session

  private let stream: any ByteStream
  private let server: HTTPServer
  /// The CONNECT that the connection began with; nil for a direct connection.
  let tunnel: ConnectTunnel?
  /// Called once, when the connection takes no further requests, and none is open. The owner closes the stream.
  private let onEnd: () -> Void
  private var hasEnded = false
  private var streams: [Int32: HTTP2Stream] = [:]
  /// How many handlers have not returned, also those of closed streams.
  private var handlerCount = 0
  /// The streams whose response was completed before their request.
  private var endingEarly: Set<Int32> = []
  /// Whether nghttp2 is reading or writing. Its functions that do so must not be called from its callbacks.
  private var isBusy = false
  private var isStopping = false
  /// Whether reading pauses since the client does not read (``pauseReading()``).
  private var isBehind = false
  /// Whether a call of ``flush()`` is scheduled.
  private var flushesSoon = false

  /// Creates the connection. The owner of the stream forwards the stream's events to it.
  /// - Throws: ``HTTP2NoMemory``.
  init(
    _ stream: any ByteStream, server: HTTPServer, tunnel: ConnectTunnel?, onEnd: @escaping () -> Void
  ) throws(HTTP2NoMemory) {
    session = try HTTP2Session(
      .server, fieldBytes: server.limits.http.headBytes, fieldCount: server.limits.http.fieldCount)
    self.stream = stream
    self.onEnd = onEnd
    self.server = server
    self.tunnel = tunnel
    session.delegate = self
    stream.setTimer(server.limits.keepAliveTimeout)
  }

  /// Whether no request is open, and the peer has been sent everything.
  var isIdle: Bool { streams.isEmpty && stream.queuedByteCount == 0 }

  /// Whether a request is being answered, or a part of a response is still queued (``HTTPServer/isAnswering``).
  var isAnswering: Bool { stream.queuedByteCount > 0 || streams.values.contains(where: \.isAnswering) }

  /// The open exchanges.
  var exchanges: [HTTPExchange] { streams.values.compactMap(\.exchange) }

  var peerAddress: String? { stream.peerAddress }

  /// How many bytes the streams hold (``HeldBytes``).
  var heldByteCount: Int { streams.values.reduce(0) { $0 + $1.heldByteCount } }

  /// Frees the bytes of the stream that holds the most. Returns false if none holds any.
  func release() -> Bool {
    guard let stream = streams.values.max(by: { $0.heldByteCount < $1.heldByteCount }), stream.heldByteCount > 0 else {
      return false
    }
    stream.release()
    flushSoon()
    return true
  }

  /// Refuses further requests (GOAWAY), and closes the connection after the open ones.
  func stop() {
    guard !isStopping else { return }
    isStopping = true
    session.goAway()
    flush()
  }

  // MARK: From the stream

  func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    isBusy = true
    let isValid = session.receive(bytes)
    isBusy = false
    flush()
    if !isValid { end() }
  }

  func streamReceivedEnd() { end() }

  func streamSent() {
    if isBehind { resumeReading() }
    flush()
  }

  func streamTimerFired() {
    if isBehind {
      server.onLimit?(.slowTransfer)
      return stream.close()
    }
    guard streams.isEmpty else { return }
    session.goAway()
    flush()
    end()
  }

  func streamClosed() {
    for stream in streams.values { stream.ended() }
  }

  /// Ends the connection, even if requests are open.
  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    for stream in streams.values { stream.ended() }
    onEnd()
  }

  /// Sends nghttp2's output once the current job is done, so that the head and the body of a response share a TLS
  /// record.
  func flushSoon() {
    guard !isBusy, !flushesSoon else { return }
    flushesSoon = true
    Task { flush() }
  }

  /// Sends nghttp2's output until enough bytes are queued (``highWater``), and tells the streams what was sent.
  private func flush() {
    guard !isBusy, !hasEnded else { return }
    flushesSoon = false
    isBusy = true
    sendOutput()
    for id in endingEarly where streams[id]?.queuedByteCount ?? 0 == 0 {
      endingEarly.remove(id)
      session.reset(id, .noError)
    }
    sendOutput()
    isBusy = false
    pauseReading()
    for stream in streams.values { stream.flushed() }
    // Also after an error of the connection, with open requests.
    if session.isOver { end() }
  }

  /// Stops reading while the client does not read. Otherwise, it could make this side queue answers to its frames
  /// without limit.
  private func pauseReading() {
    guard !isBehind, stream.queuedByteCount >= Self.highWater else { return }
    isBehind = true
    stream.setReading(false)
    let waits = exchanges.contains { $0.hasNoTimeout }
    stream.setTimer(waits ? nil : server.limits.transferTimeout)
  }

  private func resumeReading() {
    isBehind = false
    stream.setReading(true)
    stream.setTimer(streams.isEmpty ? server.limits.keepAliveTimeout : nil)
  }

  private func sendOutput() {
    while stream.queuedByteCount < Self.highWater, let output = session.nextOutput() { stream.write(output) }
  }

  // MARK: From the session

  func received(_ fields: [HTTP2Field], on id: Int32, endsStream: Bool) {
    if let stream = streams[id] { return stream.receivedEnd(fields) }
    let request = Result { () throws(MessageDefect) in
      try HTTP2Request.head(fields, hasBody: !endsStream, limits: server.limits.http)
    }
    if case .success(nil) = request { return session.refuse(id) }
    // The handler of a stream that was reset may take its time. Until it returns, it counts as an open request.
    guard handlerCount < HTTP2Session.streamLimit else { return session.reset(id, .refusedStream) }
    let stream = HTTP2Stream(id, hasBody: !endsStream, owner: self, server: server)
    streams[id] = stream
    self.stream.setTimer(nil)
    switch request {
    case .success(let head?):
      handlerCount += 1
      stream.begin(head)
    case .success(nil): break
    case .failure(let defect): stream.refuse(RequestError(defect))
    }
  }

  func received(_ bytes: UnsafeRawBufferPointer, on id: Int32) { streams[id]?.received(bytes) }

  func receivedEnd(on id: Int32) { streams[id]?.receivedEnd() }

  func closed(_ id: Int32, _ end: HTTP2StreamEnd) { streams[id]?.ended() }

  func nextBytes(of id: Int32, into buffer: UnsafeMutableRawBufferPointer) -> HTTP2Session.Body {
    streams[id]?.nextBytes(into: buffer) ?? .end(0)
  }

  // MARK: From the streams

  /// The response of a stream is complete before its request. Once the response is sent, resets the stream with
  /// NO_ERROR: the rest of the request is not needed (RFC 9113, section 8.1).
  func endsEarly(_ id: Int32) { endingEarly.insert(id) }

  /// The handler of a stream, which may be closed, has returned.
  func handlerReturned() { handlerCount -= 1 }

  /// A stream has ended.
  func closed(_ stream: HTTP2Stream, _ id: Int32) {
    guard streams[id] === stream else { return }
    streams[id] = nil
    endingEarly.remove(id)
    if streams.isEmpty, !hasEnded, !isBehind { self.stream.setTimer(server.limits.keepAliveTimeout) }
  }

  /// With this many queued bytes, nghttp2's output waits.
  private static let highWater = 256 << 10
}
