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
  private var connection: HTTPClientConnection?
  private var heads: [ResponseHead] = []
  private var headReader: CheckedContinuation<ResponseHead, any Error>?
  private var body = HTTPBodyBuffer()
  private var writer: CheckedContinuation<Void, any Error>?
  private var failure: HTTPClientError?

  init(head: RequestHead, origin: HTTPOrigin, client: HTTPClient) {
    self.head = head
    self.origin = origin
    self.client = client
  }

  // MARK: The request's body

  /// Sends a piece of the request's body, and waits while the server is behind.
  ///
  /// - Throws: ``HTTPClientError``.
  public func write(_ bytes: [UInt8]) async throws {
    guard !bytes.isEmpty else { return }
    let connection = try await begunConnection()
    connection.send(head.bodyFraming == .chunked ? ChunkedEncoder.chunk(bytes) : bytes)
    if connection.queuedByteCount > Self.highWater {
      try await withCheckedThrowingContinuation { writer = $0 }
    }
  }

  /// Ends the request's body.
  ///
  /// - Parameter trailers: Trailers, which are sent with a chunked body only.
  /// - Throws: ``HTTPClientError``.
  public func finishBody(trailers: HTTPFields = [:]) async throws {
    let connection = try await begunConnection()
    if head.bodyFraming == .chunked { connection.send(ChunkedEncoder.end(trailers: trailers)) }
    connection.requestEnded()
  }

  private func begunConnection() async throws -> HTTPClientConnection {
    while true {
      if let failure { throw failure }
      if let connection { return connection }
      try await withCheckedThrowingContinuation { writer = $0 }
    }
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
    if body.byteCount < HTTPBodyBuffer.lowWater { connection?.setReading(true) }
    return piece
  }

  /// Cancels the request and closes its connection. Does nothing once the response is complete.
  public func cancel() {
    fail(.cancelled)
  }

  // MARK: From the connection

  /// Whether the request is idempotent and can be sent again.
  var isRepeatable: Bool {
    let methods: [HTTPRequest.Method] = [.get, .head, .options, .trace, .put, .delete]
    return methods.contains(head.method) && !head.bodyFraming.hasBody && head.upgradeProtocols.isEmpty
  }

  var hasFailed: Bool { failure != nil }

  /// How many bytes of the response's body are buffered.
  var bufferedByteCount: Int { body.byteCount }

  func begun(on connection: HTTPClientConnection) {
    do throws(MessageDefect) {
      let bytes = try HeadEncoder.encode(head.method, head.target, fields: head.fields)
      self.connection = connection
      connection.send(bytes)
      resumeWriter()
    } catch {
      connection.close()
      fail(.invalidRequest(error))
    }
  }

  func connectionWasStale() {
    guard failure == nil else { return }
    connection = nil
    client.connect(self)
  }

  func sent(remaining: Int) {
    if remaining < Self.lowWater { resumeWriter() }
  }

  func receive(_ head: ResponseHead) {
    guard let headReader else { return heads.append(head) }
    self.headReader = nil
    headReader.resume(returning: head)
  }

  func receive(_ bytes: [UInt8]) {
    body.append(bytes)
    if body.byteCount > HTTPBodyBuffer.highWater { connection?.setReading(false) }
  }

  /// The response is complete. The rest of an incomplete request is not sent.
  func receiveEnd(_ trailers: HTTPFields) {
    connection = nil
    failure = .cancelled
    self.trailers = trailers
    body.end()
    writer?.resume(throwing: HTTPClientError.cancelled)
    writer = nil
  }

  func fail(_ error: HTTPClientError) {
    guard failure == nil else { return }
    failure = error
    connection?.close()
    connection = nil
    headReader?.resume(throwing: error)
    headReader = nil
    body.fail(error)
    writer?.resume(throwing: error)
    writer = nil
  }

  /// Takes the connection once it is no longer HTTP.
  func takeConnection() -> HTTPClientConnection? {
    defer { connection = nil }
    return connection
  }

  private func resumeWriter() {
    writer?.resume()
    writer = nil
  }

  private static let highWater = 256 << 10
  private static let lowWater = 64 << 10
}
