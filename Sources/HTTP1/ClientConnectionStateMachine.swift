public import HTTPTypes

/// The client's end of one HTTP/1.1 connection, as a proxy needs it upstream: bytes in, actions out, nothing else
/// (RFC 9112).
///
/// The owner says when it begins a request, gives every byte that comes to ``receive(_:)``, then takes actions until
/// it gets one that waits (``Action/needsMoreBytes`` or ``Action/idle``) or ends the connection. Requests go one at a
/// time, without pipelining.
public struct ClientConnectionStateMachine: Sendable {
  /// What the owner must do next.
  public enum Action: Sendable, Hashable {
    /// Wait for bytes, then feed them.
    case needsMoreBytes
    /// An informational response (1xx, never 101). The final one follows.
    case informational(ResponseHead)
    /// The final response begins. Its body and ``end(trailers:)`` follow, unless it ends HTTP
    /// (``ResponseHead/endsHTTP``): then what follows is ``ClientConnectionStateMachine/takeRemainder()``.
    case head(ResponseHead)
    /// A piece of the body, never empty.
    case body([UInt8])
    /// The response is complete. ``ClientConnectionStateMachine/isReusable`` says whether the connection can take
    /// another request.
    case end(trailers: HTTPFields)
    /// No request is open.
    case idle
    /// The response is malformed or cut short; what was handed out of it is not complete. Close. Comes once; after it
    /// there is only ``closed``.
    case fail(MessageDefect)
    /// Close. There will be no other action.
    case closed
  }

  private enum State {
    /// No request is open.
    case idle
    /// Waiting for a head or within one.
    case readingHead
    /// Within a body that has so many bytes to come; none for a response whose end has not been told.
    case readingBody(remaining: Int)
    /// Within a body of chunks.
    case readingChunks
    /// Within a body that ends with the connection.
    case readingUntilClose
    /// The connection is no longer HTTP, its bytes are not fetched yet.
    case switched
    /// Failed, handed over, or done.
    case closed
  }

  private let limits: HTTP1Limits
  private var state = State.idle
  private var input = InputBuffer()
  private var hasEnded = false
  private var hasEndedCleanly = true
  private var method = HTTPRequest.Method.get
  private var offersUpgrade = false
  private var informationalResponses = 0
  private var headParser: ResponseHeadParser
  /// The fields of the last final head.
  private var fields = HTTPFields()
  private var chunks: ChunkedDecoder
  private var keepsAlive = true

  /// Creates the machine of a connection that was just opened.
  public init(limits: HTTP1Limits = .default) {
    self.limits = limits
    headParser = ResponseHeadParser(limits: limits, requestMethod: method)
    chunks = ChunkedDecoder(limits: limits)
  }

  /// Whether another request may be begun. When a response was complete before its request had been sent to the end,
  /// the connection is of no use any more, which only the owner can know.
  public var isReusable: Bool {
    if case .idle = state { return keepsAlive && !hasEnded && input.isEmpty }
    return false
  }

  /// Whether the owner should read from the socket. An owner that heeds it bounds what waits here to the larger of
  /// ``HTTP1Limits/bufferedBytes`` and ``HTTP1Limits/headBytes``, and one read more.
  public var wantsBytes: Bool {
    if case .closed = state { return false }
    return !hasEnded && input.count < max(limits.bufferedBytes, limits.headBytes)
  }

  /// A request begins to be sent; its response is read from here on. Only when ``isReusable``; otherwise it does
  /// nothing.
  /// - Parameters:
  ///   - method: the request's method, on which the body of the response depends.
  ///   - offersUpgrade: whether the request has an `Upgrade`, without which a 101 is an error.
  public mutating func beginRequest(method: HTTPRequest.Method, offersUpgrade: Bool = false) {
    guard isReusable else { return }
    self.method = method
    self.offersUpgrade = offersUpgrade
    informationalResponses = 0
    headParser = ResponseHeadParser(limits: limits, requestMethod: method, earlier: fields)
    state = .readingHead
  }

  /// Feeds bytes, which are copied. Bytes after the connection's end are ignored.
  public mutating func receive(_ bytes: some Collection<UInt8>) {
    if case .closed = state { return }
    guard !hasEnded else { return }
    input.append(bytes)
  }

  /// The peer sends nothing more.
  /// - Parameter isClean: false when the connection broke (reset, TLS without a closing message), so that a body that
  ///   lasts until the end is not known to be complete (RFC 9112, section 8).
  public mutating func receiveEnd(isClean: Bool = true) {
    hasEnded = true
    hasEndedCleanly = isClean
  }

  /// Ends HTTP on this connection and gives back the bytes that came after the head: the first bytes of the protocol
  /// that was switched to, or of a tunnel. Call it after a head that ends HTTP.
  public mutating func takeRemainder() -> [UInt8] {
    let remainder = input.takeAll()
    close()
    return remainder
  }

  /// The next thing to do.
  public mutating func nextAction() -> Action {
    do throws(MessageDefect) {
      switch state {
      case .idle: return nextWhileIdle()
      case .readingHead: return try nextInHead()
      case .readingBody(let remaining): return try nextInBody(remaining)
      case .readingChunks: return try nextInChunks()
      case .readingUntilClose: return try nextUntilClose()
      case .switched: return .needsMoreBytes
      case .closed: return .closed
      }
    } catch {
      close()
      return .fail(error)
    }
  }

  /// Bytes that answer no request, or the end: either way the connection is over. Whatever the bytes are, they are no
  /// response of ours.
  private mutating func nextWhileIdle() -> Action {
    if isReusable { return .idle }
    close()
    return .closed
  }

  private mutating func nextInHead() throws(MessageDefect) -> Action {
    guard let head = try headParser.next(from: &input) else {
      guard hasEnded else { return .needsMoreBytes }
      let hasBegun = headParser.hasStatusLine || !input.isEmpty || informationalResponses > 0
      throw hasBegun ? .truncatedHead : .noResponse
    }
    if head.endsHTTP {
      guard head.status.code != 101 || offersUpgrade else { throw .unexpectedSwitch }
      state = .switched
      return .head(head)
    }
    if head.status.kind == .informational {
      informationalResponses += 1
      guard informationalResponses <= limits.informationalResponses else { throw .tooManyInformationalResponses }
      headParser = ResponseHeadParser(limits: limits, requestMethod: method)
      return .informational(head)
    }
    fields = head.fields
    keepsAlive = head.keepAlive
    switch head.bodyFraming {
    case .none: state = .readingBody(remaining: 0)
    case .length(let length): state = .readingBody(remaining: length)
    case .chunked:
      chunks = ChunkedDecoder(limits: limits)
      state = .readingChunks
    case .untilClose: state = .readingUntilClose
    }
    return .head(head)
  }

  private mutating func nextInBody(_ remaining: Int) throws(MessageDefect) -> Action {
    guard remaining > 0 else { return finish(trailers: HTTPFields()) }
    guard !input.isEmpty else { return try waitForBody() }
    let bytes = input.take(upTo: remaining)
    state = .readingBody(remaining: remaining - bytes.count)
    return .body(bytes)
  }

  private mutating func nextInChunks() throws(MessageDefect) -> Action {
    switch try chunks.next(from: &input) {
    case .needsMoreBytes: return try waitForBody()
    case .data(let bytes): return .body(bytes)
    case .end(let trailers): return finish(trailers: trailers)
    }
  }

  private mutating func nextUntilClose() throws(MessageDefect) -> Action {
    if !input.isEmpty { return .body(input.takeAll()) }
    guard hasEnded else { return .needsMoreBytes }
    guard hasEndedCleanly else { throw .truncatedBody }
    return finish(trailers: HTTPFields())
  }

  private func waitForBody() throws(MessageDefect) -> Action {
    if hasEnded { throw .truncatedBody }
    return .needsMoreBytes
  }

  private mutating func finish(trailers: HTTPFields) -> Action {
    state = .idle
    return .end(trailers: trailers)
  }

  private mutating func close() {
    state = .closed
    input = InputBuffer()
  }
}
