public import BridgeRuntime
public import HTTP1
public import HTTPTypes

/// One request to a server, and its response.
///
/// The request's body can be sent while the response is read. When the exchange fails or is cancelled with
/// ``cancel()``, all waits end with an ``HTTPClientError``.
@BridgeActor
public final class HTTPClientExchange {
  /// The request.
  public nonisolated let head: RequestHead
  /// The server.
  public nonisolated let origin: HTTPOrigin
  /// The trailers of the response; complete once ``nextBodyPiece()`` has returned nil.
  public private(set) var trailers = HTTPFields()

  private let client: HTTPClient
  private var carrier: (any HTTPClientCarrier)?
  private var heads: [ResponseHead] = []
  private var headReader: CheckedContinuation<ResponseHead, any Error>?
  private var body = HTTPBodyBuffer()
  private var writer: CheckedContinuation<Void, any Error>?
  private var failure: HTTPClientError?
  /// The beginning of the request's body, for a server that hands the request back; nil when it cannot be sent again.
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

  /// Sends a piece of the request's body, and waits while the server is behind.
  ///
  /// - Throws: ``HTTPClientError``.
  public func write(_ bytes: [UInt8]) async throws {
    guard !bytes.isEmpty else { return }
    let carrier = try await begunCarrier()
    keep(carrier.mayHandBack) { $0.pieces.append(bytes) }
    carrier.sendBody(bytes)
    if carrier.queuedByteCount > Self.highWater {
      try await withCheckedThrowingContinuation { writer = $0 }
    }
  }

  /// Ends the request's body.
  ///
  /// - Parameter trailers: Trailers, which are sent only with a body whose length is not known before.
  /// - Throws: ``HTTPClientError``.
  public func finishBody(trailers: HTTPFields = [:]) async throws {
    let carrier = try await begunCarrier()
    let trailers = head.bodyFraming == .chunked ? trailers : [:]
    keep(carrier.mayHandBack) { $0.trailers = trailers }
    carrier.endBody(trailers: trailers)
  }

  /// Waits until the head of the request is sent. The body is not needed before that.
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

  private func keep(_ mayHandBack: Bool, _ change: (inout SentBody) -> Void) {
    guard mayHandBack, var kept = sentBody else { return sentBody = nil }
    change(&kept)
    sentBody = kept.byteCount <= Self.keptByteCount ? kept : nil
  }

  // MARK: The response

  /// Reads the next head: informational ones (1xx), then the final one.
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
    if body.byteCount < HTTPBodyBuffer.lowWater { carrier?.setReading(true) }
    return piece
  }

  /// Cancels the request, with its connection or its stream. Does nothing once the response is complete.
  public func cancel() {
    fail(.cancelled)
  }

  // MARK: From the connection

  /// Whether the request is idempotent and can be sent again.
  var isRepeatable: Bool {
    let methods: [HTTPRequest.Method] = [.get, .head, .options, .trace, .put, .delete]
    return methods.contains(head.method) && !head.bodyFraming.hasBody && head.upgradeProtocols.isEmpty
  }

  /// Whether the request may have a body that its server does not take at once.
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

  /// The head has been sent. After a server has handed the request back, the beginning of its body is sent again.
  func begun(on carrier: any HTTPClientCarrier) {
    self.carrier = carrier
    for piece in sentBody?.pieces ?? [] { carrier.sendBody(piece) }
    if let trailers = sentBody?.trailers { carrier.endBody(trailers: trailers) }
    resumeWriter()
  }

  func connectionWasStale() {
    guard failure == nil else { return }
    carrier = nil
    client.connect(self)
  }

  /// The server has handed the request back unprocessed. It is sent again, unless the beginning of its body is no longer stored, or this has happened too often.
  func handedBack(_ error: HTTPClientError, needsHTTP1: Bool = false) {
    handBackCount += 1
    guard failure == nil, sentBody != nil, handBackCount <= Self.handBackLimit else { return fail(error) }
    self.needsHTTP1 = self.needsHTTP1 || needsHTTP1
    carrier = nil
    client.connect(self)
  }

  func sent(remaining: Int) {
    if remaining < Self.lowWater { resumeWriter() }
  }

  func receive(_ head: ResponseHead) {
    sentBody = nil
    guard let headReader else { return heads.append(head) }
    self.headReader = nil
    headReader.resume(returning: head)
  }

  func receive(_ bytes: [UInt8]) {
    body.append(bytes)
    if body.byteCount > HTTPBodyBuffer.highWater { carrier?.setReading(false) }
  }

  /// The response is complete. The rest of an incomplete request is not sent.
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
    carrier?.close()
    carrier = nil
    headReader?.resume(throwing: error)
    headReader = nil
    body.fail(error)
    writer?.resume(throwing: error)
    writer = nil
  }

  /// Takes the connection once it is no longer HTTP.
  func takeConnection() -> HTTPClientConnection? {
    defer { carrier = nil }
    return carrier as? HTTPClientConnection
  }

  private func resumeWriter() {
    writer?.resume()
    writer = nil
  }

  /// The part of a request's body that has been sent.
  private struct SentBody {
    var pieces: [[UInt8]] = []
    /// The trailers of a complete body.
    var trailers: HTTPFields?

    var byteCount: Int { pieces.reduce(0) { $0 + $1.count } }
  }

  /// How many bytes of a body are kept until the server answers: enough for most forms.
  private static let keptByteCount = 128 << 10
  /// How often a server may hand a request back.
  private static let handBackLimit = 3
  private static let highWater = 256 << 10
  private static let lowWater = 64 << 10
}

/// Carries an exchange to its server: a connection of HTTP/1.1, or a stream of an HTTP/2 connection.
@BridgeActor
protocol HTTPClientCarrier: AnyObject {
  /// How many bytes of the request wait to be sent.
  var queuedByteCount: Int { get }
  /// Whether the server may hand the request back unprocessed, after a part of its body has been sent (RFC 9113, section 8.7).
  var mayHandBack: Bool { get }

  /// Sends a piece of the request's body.
  func sendBody(_ bytes: [UInt8])
  /// Ends the request's body.
  func endBody(trailers: HTTPFields)
  /// Pauses reading when the reader of the response falls behind, and resumes it when it catches up.
  func setReading(_ isReading: Bool)
  /// Ends the exchange before it is complete. Closes the connection if it carries no other exchange.
  func close()
}
