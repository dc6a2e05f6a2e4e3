import BridgeRuntime
import HTTP1

/// A connection on which client and server have agreed on HTTP/2. Each request on it has an ``HTTP2Stream``.
@BridgeActor
final class HTTP2Connection: ByteStreamDelegate, HTTP2SessionDelegate {
  /// Reads and writes the frames.
  private(set) lazy var session = HTTP2Session(
    .server, delegate: self, fieldBytes: server.limits.http.headBytes, fieldCount: server.limits.http.fieldCount)

  private let stream: any ByteStream
  private let server: HTTPServer
  /// The CONNECT at the beginning of the connection; nil for a direct connection.
  let tunnel: ConnectTunnel?
  private var streams: [Int32: HTTP2Stream] = [:]
  /// The streams whose response is complete before their request.
  private var endingEarly: Set<Int32> = []
  /// Whether nghttp2 is running. It must not be called again in the meantime.
  private var isBusy = false
  private var isStopping = false
  /// Whether ``flush()`` follows at the end of the current work.
  private var flushesSoon = false

  /// Creates the connection on a stream. Forward the stream's events to it.
  init(_ stream: any ByteStream, server: HTTPServer, tunnel: ConnectTunnel?) {
    self.stream = stream
    self.server = server
    self.tunnel = tunnel
    stream.setTimer(server.limits.keepAliveTimeout)
  }

  /// Whether no request is open.
  var isIdle: Bool { streams.isEmpty }

  /// Whether a request is being answered (``HTTPServer/isAnswering``).
  var isAnswering: Bool { streams.values.contains(where: \.isAnswering) }

  var peerAddress: String? { stream.peerAddress }

  /// Refuses further requests, and closes the connection after the last response.
  func stop() {
    guard !isStopping else { return }
    isStopping = true
    session.goAway()
    flush()
    closeIfOver()
  }

  // MARK: From the stream

  func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    isBusy = true
    let isValid = session.receive(bytes)
    isBusy = false
    flush()
    if !isValid { return close() }
    closeIfOver()
  }

  func streamReceivedEnd() { close() }

  func streamSent() { flush() }

  func streamTimerFired() {
    guard streams.isEmpty else { return }
    session.goAway()
    flush()
    close()
  }

  func streamClosed() {
    for stream in streams.values { stream.ended() }
  }

  /// Sends nghttp2's output at the end of the current work, so that the head of a response and its body share a record of TLS.
  func flushSoon() {
    guard !isBusy, !flushesSoon else { return }
    flushesSoon = true
    Task { flush() }
  }

  /// Sends nghttp2's output until the client's socket is full.
  private func flush() {
    guard !isBusy else { return }
    flushesSoon = false
    isBusy = true
    sendOutput()
    for id in endingEarly where streams[id]?.queuedByteCount ?? 0 == 0 {
      endingEarly.remove(id)
      session.reset(id, .noError)
    }
    sendOutput()
    isBusy = false
    for stream in streams.values { stream.flushed() }
    closeIfOver()
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
    if case .success(nil) = request { return session.reset(id, .protocolError) }
    let stream = HTTP2Stream(id, hasBody: !endsStream, owner: self, server: server)
    streams[id] = stream
    self.stream.setTimer(nil)
    switch request {
    case .success(let head): if let head { stream.begin(head) }
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

  /// Called when the response of a stream is complete before its request.
  func endsEarly(_ id: Int32) { endingEarly.insert(id) }

  /// Called when a stream has ended.
  func closed(_ stream: HTTP2Stream, _ id: Int32) {
    guard streams[id] === stream else { return }
    streams[id] = nil
    endingEarly.remove(id)
    if streams.isEmpty { self.stream.setTimer(server.limits.keepAliveTimeout) }
    closeIfOver()
  }

  private func closeIfOver() {
    guard !isBusy, streams.isEmpty, isStopping || session.isOver else { return }
    close()
  }

  private func close() {
    stream.finishWriting()
    stream.close()
  }

  private static let highWater = 256 << 10
}
