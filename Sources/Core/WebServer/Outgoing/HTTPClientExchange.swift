public import BridgeRuntime
public import HTTP1
public import HTTPTypes

/// One request to a server, and its response.
///
/// You can send the request's body while you read the response. When the exchange fails, or you call ``cancel()``, all
/// waiting calls throw an ``HTTPClientError``. At most one call may wait to write, one for a head and one for the body.
@BridgeActor
public final class HTTPClientExchange {
  /// The request.
  public nonisolated let head: RequestHead
  /// The server.
  public nonisolated let origin: HTTPOrigin
  /// The trailers of the response; empty until ``nextBodyPiece()`` has returned nil.
  public private(set) var trailers = HTTPFields()

  /// Is told how many bytes are held for the exchange: the response's head, what is buffered of both bodies, and
  /// ``decoderByteCount``.
  package var onHold: ((Int) -> Void)? {
    didSet { tellHeld() }
  }
  /// How many bytes the decoder of the response's body holds.
  package var decoderByteCount = 0 {
    didSet { tellHeld() }
  }

  private let client: HTTPClient
  /// How many bytes of the response's heads have arrived.
  private var headByteCount = 0
  private var carrier: (any HTTPClientCarrier)?
  private var heads: [ResponseHead] = []
  private var headReader: CheckedContinuation<ResponseHead, any Error>?
  private var body = HTTPBodyBuffer()
  private var writer: CheckedContinuation<Void, any Error>?
  private var failure: HTTPClientError?
  /// What has been sent of the request's body, to send it again if the server has not processed the request. Nil once
  /// it cannot be sent again: it is too long, was sent over HTTP/1.1, or the server has answered.
  private var sentBody: SentBody? = SentBody()
  private var handBackCount = 0
  /// Whether the server wants this request over HTTP/1.1.
  private(set) var needsHTTP1: Bool

  init(head: RequestHead, origin: HTTPOrigin, client: HTTPClient) {
    self.head = head
    self.origin = origin
    self.client = client
    needsHTTP1 = !head.upgradeProtocols.isEmpty
  }

  // MARK: The request's body

  /// Sends a piece of the request's body, after the head was sent, and waits while the server reads too slowly.
  ///
  /// - Throws: ``HTTPClientError``.
  public func write(_ bytes: [UInt8]) async throws {
    guard !bytes.isEmpty else { return }
    let carrier = try await begunCarrier()
    remember(carrier.mayHandBack) { $0.append(bytes) }
    carrier.sendBody(bytes)
    tellHeld()
    if carrier.queuedByteCount > Self.highWater {
      try await withCheckedThrowingContinuation { writer = $0 }
    }
  }

  /// Ends the request's body.
  ///
  /// - Parameter trailers: The trailers. They are sent only if the head has `Transfer-Encoding: chunked`.
  /// - Throws: ``HTTPClientError``.
  public func finishBody(trailers: HTTPFields = [:]) async throws {
    let carrier = try await begunCarrier()
    let trailers = head.bodyFraming == .chunked ? trailers : [:]
    remember(carrier.mayHandBack) { $0.trailers = trailers }
    carrier.endBody(trailers: trailers)
  }

  /// Waits until the head of the request was sent, on an open connection. Before that, no body is needed.
  ///
  /// - Throws: ``HTTPClientError``.
  package func begun() async throws { _ = try await begunCarrier() }

  private func begunCarrier() async throws -> any HTTPClientCarrier {
    while true {
      if let failure { throw failure }
      if let carrier { return carrier }
      try await withCheckedThrowingContinuation { writer = $0 }
    }
  }

  /// Stores what is sent of the body, up to a limit, if the request may have to be sent again.
  private func remember(_ mayHandBack: Bool, _ change: (inout SentBody) -> Void) {
    guard mayHandBack, var remembered = sentBody else { return sentBody = nil }
    change(&remembered)
    sentBody = remembered.byteCount <= Self.retainedByteLimit ? remembered : nil
  }

  // MARK: The response

  /// Waits for the next head of the response: that of each informational response (1xx), and then the final one.
  ///
  /// - Throws: ``HTTPClientError``.
  public func nextHead() async throws -> ResponseHead {
    if !heads.isEmpty { return heads.removeFirst() }
    if let failure { throw failure }
    return try await withCheckedThrowingContinuation { headReader = $0 }
  }

  /// Reads the next piece of the response's body; nil at its end.
  ///
  /// - Throws: ``HTTPClientError``.
  public func nextBodyPiece() async throws -> [UInt8]? {
    let piece: [UInt8]? =
      switch try body.take() {
      case .piece(let piece): piece
      case .end: nil
      case .wait: try await withCheckedThrowingContinuation { body.wait($0) }
      }
    tellHeld()
    if body.byteCount < HTTPBodyBuffer.lowWater { carrier?.setReading(true) }
    return piece
  }

  /// Cancels the request: closes its HTTP/1.1 connection, or resets its HTTP/2 stream. Does nothing once the response
  /// is complete.
  public func cancel() {
    fail(.cancelled)
  }

  // MARK: From the connection

  /// Whether the request is idempotent and can be sent again.
  var isRepeatable: Bool {
    let methods: [HTTPRequest.Method] = [.get, .head, .options, .trace, .put, .delete]
    return methods.contains(head.method) && !head.bodyFraming.hasBody && head.upgradeProtocols.isEmpty
  }

  /// Whether the request may have a body of more than 16 KiB, which a server may leave unread
  /// (``HTTPClientLimits/peerTimeout``).
  var hasLargeBody: Bool {
    switch head.bodyFraming {
    case .none: false
    case .length(let count): count > 16 << 10
    case .chunked: true
    }
  }

  var hasFailed: Bool { failure != nil }

  /// How many bytes of the response's body are buffered.
  var bufferedByteCount: Int { body.byteCount }

  /// The head was sent. If the request is sent again, also sends the stored beginning of its body again.
  func begun(on carrier: any HTTPClientCarrier) {
    self.carrier = carrier
    for piece in sentBody?.pieces ?? [] { carrier.sendBody(piece) }
    if let trailers = sentBody?.trailers { carrier.endBody(trailers: trailers) }
    resumeWriter()
  }

  /// The server had closed the connection before it got the request. Sends the request again.
  func connectionWasStale() {
    guard failure == nil else { return }
    carrier = nil
    client.connect(self)
  }

  /// The server has not processed the request. Sends it again, unless the beginning of its body is no longer stored, or
  /// this has happened too often.
  ///
  /// - Parameters:
  ///   - error: The failure if it cannot be sent again.
  ///   - needsHTTP1: Whether the server wants HTTP/1.1 for this request.
  func handedBack(_ error: HTTPClientError, needsHTTP1: Bool = false) {
    handBackCount += 1
    guard failure == nil, sentBody != nil, handBackCount <= Self.handBackLimit else { return fail(error) }
    self.needsHTTP1 = self.needsHTTP1 || needsHTTP1
    carrier = nil
    client.connect(self)
  }

  func sent(remaining: Int) {
    tellHeld()
    if remaining < Self.lowWater { resumeWriter() }
  }

  /// Bytes of a head have arrived, perhaps with the first ones of the body.
  func receivedHead(byteCount: Int) {
    headByteCount += byteCount
    tellHeld()
  }

  func receive(_ head: ResponseHead) {
    sentBody = nil
    guard let headReader else { return heads.append(head) }
    self.headReader = nil
    headReader.resume(returning: head)
  }

  func receive(_ bytes: [UInt8]) {
    body.append(bytes)
    tellHeld()
    if body.byteCount > HTTPBodyBuffer.highWater { carrier?.setReading(false) }
  }

  /// The response is complete. If the request is not, the rest of it is not sent.
  func receiveEnd(_ trailers: HTTPFields) {
    carrier = nil
    failure = .cancelled
    self.trailers = trailers
    body.end()
    writer?.resume(throwing: HTTPClientError.cancelled)
    writer = nil
  }

  func fail(_ error: HTTPClientError) {
    guard failure == nil else { return }
    failure = error
    onHold?(0)
    onHold = nil
    carrier?.close()
    carrier = nil
    headReader?.resume(throwing: error)
    headReader = nil
    body.fail(error)
    writer?.resume(throwing: error)
    writer = nil
  }

  /// Takes the HTTP/1.1 connection after a response that ended HTTP on it; nil if there is none.
  func takeConnection() -> HTTPClientConnection? {
    defer { carrier = nil }
    return carrier as? HTTPClientConnection
  }

  private func tellHeld() {
    guard let onHold else { return }
    onHold(
      headByteCount + decoderByteCount + body.byteCount + (sentBody?.byteCount ?? 0) + (carrier?.queuedByteCount ?? 0))
  }

  private func resumeWriter() {
    writer?.resume()
    writer = nil
  }

  /// The part of a request's body that has been sent.
  private struct SentBody {
    private(set) var pieces: [[UInt8]] = []
    private(set) var byteCount = 0
    /// The trailers of a complete body.
    var trailers: HTTPFields?

    mutating func append(_ piece: [UInt8]) {
      pieces.append(piece)
      byteCount += piece.count
    }
  }

  /// How many bytes of a request's body are stored until the server answers: enough for most forms.
  private static let retainedByteLimit = 128 << 10
  /// How many times a request that the server has not processed is sent again.
  private static let handBackLimit = 3
  private static let highWater = 256 << 10
  private static let lowWater = 64 << 10
}

/// Carries one exchange: an HTTP/1.1 connection, or a stream of an HTTP/2 connection.
@BridgeActor
protocol HTTPClientCarrier: AnyObject {
  /// How many bytes of the request are queued, because the server reads slowly.
  var queuedByteCount: Int { get }
  /// Whether the server can say that it has not processed the request, even after a part of its body was sent (RFC
  /// 9113, section 8.7).
  var mayHandBack: Bool { get }

  /// Sends a piece of the request's body.
  func sendBody(_ bytes: [UInt8])
  /// Ends the request's body.
  func endBody(trailers: HTTPFields)
  /// Pauses reading when the reader of the response falls behind, and resumes it when it catches up.
  func setReading(_ isReading: Bool)
  /// Ends the exchange before it is complete: closes the HTTP/1.1 connection, or resets the HTTP/2 stream.
  func close()
}
