import BridgeRuntime
import HTTP1
import HTTPTypes

/// One request and its response on a connection of HTTP/2, translated to a byte stream of HTTP/1.1 for an ``HTTPConnection`` of its own. So both
/// versions share the parser, the limits and the path to the handlers.
@BridgeActor
final class HTTP2Stream: ByteStream {
  weak var delegate: (any ByteStreamDelegate)?

  private let id: Int32
  /// The connection, until the stream is closed.
  private var owner: HTTP2Connection?
  private let isChunked: Bool
  private var response: ClientConnectionStateMachine
  private var hasBegun = false
  /// The response's body.
  private var body = HTTP2QueuedBody()
  private var isReading = true
  private var unreadCount = 0
  private var requestHasEnded: Bool
  private(set) var isClosed = false
  private lazy var timer = StreamTimer { [weak self] in self?.delegate?.streamTimerFired() }

  /// Creates the stream of a request. `isChunked` says whether its body, if it has one, is chunked.
  init(_ id: Int32, _ request: HTTP2Request, hasBody: Bool, owner: HTTP2Connection, limits: HTTP1Limits) {
    self.id = id
    self.owner = owner
    isChunked = request.isChunked
    requestHasEnded = !hasBody
    response = ClientConnectionStateMachine(limits: limits)
    response.beginRequest(method: request.method)
  }

  // MARK: For the HTTPConnection

  var queuedByteCount: Int { body.count }
  var peerAddress: String? { owner?.peerAddress }
  let isHTTP2 = false

  func write(_ bytes: [UInt8]) {
    guard !isClosed else { return }
    response.receive(bytes)
    process()
  }

  func setReading(_ isReading: Bool) {
    self.isReading = isReading
    guard isReading, unreadCount > 0, !isClosed else { return }
    owner?.session.consumed(unreadCount, of: id)
    unreadCount = 0
    owner?.flush()
  }

  func setTimer(_ duration: Duration?) { timer.set(isClosed ? nil : duration) }

  func finishWriting() {
    guard !isClosed else { return }
    response.receiveEnd()
    process()
  }

  /// Resets the stream if the response is incomplete, so that the client knows it.
  func close() {
    guard !isClosed else { return }
    if !body.hasEnded { owner?.session.reset(id, .internalError) }
    owner?.flush()
    ended()
  }

  /// WebSockets stay on HTTP/1.1.
  func detachDescriptor() -> Int32? { nil }

  // MARK: From the connection

  /// A piece of the request's body.
  func received(_ bytes: UnsafeRawBufferPointer) {
    guard !isClosed else { return }
    if isReading { owner?.session.consumed(bytes.count, of: id) } else { unreadCount += bytes.count }
    if isChunked {
      ChunkedEncoder.chunk(Array(bytes)).withUnsafeBytes { delegate?.streamReceived($0) }
    } else {
      delegate?.streamReceived(bytes)
    }
  }

  /// The request is complete.
  func receivedEnd(_ trailers: [HTTP2Field] = []) {
    guard !requestHasEnded else { return }
    requestHasEnded = true
    guard isChunked, !isClosed else { return }
    ChunkedEncoder.end(trailers: HTTPFields(trailers: trailers)).withUnsafeBytes { delegate?.streamReceived($0) }
  }

  /// Takes the next bytes of the response's body.
  func nextBytes(into buffer: UnsafeMutableRawBufferPointer) -> HTTP2Session.Body { body.next(into: buffer) }

  /// Tells the delegate of bytes that have been sent.
  func tellSent() {
    guard !isClosed, body.takeHasSent() else { return }
    delegate?.streamSent()
  }

  /// The stream is closed, by either side, or its connection is.
  func ended() {
    guard !isClosed else { return }
    isClosed = true
    timer.set(nil)
    owner?.closed(self, id)
    owner = nil
    // As with a socket, this happens at the end of the current work: the delegate may be about to send more.
    let delegate = delegate
    Task { @BridgeActor in delegate?.streamClosed() }
  }

  // MARK: The response

  private func process() {
    loop: while true {
      switch response.nextAction() {
      case .needsMoreBytes, .idle, .closed: break loop
      case .informational(let head): owner?.session.inform([HTTP2Field](head), on: id)
      case .head(let head):
        hasBegun = true
        owner?.session.respond([HTTP2Field](head), on: id)
      case .body(let bytes):
        body.append(bytes)
        owner?.session.resume(id)
      case .end(let fields):
        body.end(trailers: [HTTP2Field](fields))
        owner?.session.resume(id)
        // The rest of the request is not needed (RFC 9113, section 8.1).
        if !requestHasEnded { owner?.endsEarly(id) }
        break loop
      case .fail:
        owner?.session.reset(id, .internalError)
        break loop
      }
    }
    owner?.flush()
  }
}
