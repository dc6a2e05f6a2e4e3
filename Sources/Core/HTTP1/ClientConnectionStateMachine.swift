public import HTTPTypes

/// The client's side of one HTTP/1.1 connection (RFC 9112), as a pure state machine: bytes in, actions out.
///
/// Call ``beginRequest(method:offersUpgrade:)`` when you send a request, and pass every received byte to
/// ``receive(_:)``. Then call ``nextAction()`` until an action says to wait (``Action/needsMoreBytes`` or
/// ``Action/idle``) or ends the connection. Send one request at a time: the machine does not support pipelining.
///
/// ```swift
/// var machine = ClientConnectionStateMachine()
/// machine.beginRequest(method: .get)
/// machine.receive("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8)
/// loop: while true {
///   switch machine.nextAction() {
///   case .head(let head): print(head.status)
///   case .body(let bytes): print(String(decoding: bytes, as: UTF8.self))
///   case .end, .informational: continue
///   case .needsMoreBytes, .idle, .fail, .closed: break loop
///   }
/// }
/// ```
public struct ClientConnectionStateMachine: Sendable {
  /// What the owner must do next.
  public enum Action: Sendable, Hashable {
    /// Wait for bytes and pass them to `receive`.
    case needsMoreBytes
    /// An informational response (1xx, never 101). The final one follows.
    case informational(ResponseHead)
    /// The final response begins. Its body and ``end(trailers:)`` follow. If the head ends HTTP on the connection
    /// (``ResponseHead/endsHTTP``), call ``ClientConnectionStateMachine/takeRemainder()`` instead.
    case head(ResponseHead)
    /// A piece of the body, never empty.
    case body([UInt8])
    /// The response is complete. ``ClientConnectionStateMachine/isReusable`` says whether the connection can take
    /// another request.
    case end(trailers: HTTPFields)
    /// No request is open.
    case idle
    /// The response is malformed or truncated. Discard the parts that were reported before, and close the connection.
    /// Occurs at most once; only ``closed`` follows.
    case fail(MessageDefect)
    /// Close the connection. No other action follows.
    case closed
  }

  private enum State {
    /// No request is open.
    case idle
    /// Before or within a head.
    case readingHead
    /// Within a body of known length, of which `remaining` bytes are missing. At 0, ``Action/end(trailers:)`` is next.
    case readingBody(remaining: Int)
    /// Within a chunked body.
    case readingChunks
    /// Within a body that ends with the connection.
    case readingUntilClose
    /// HTTP has ended on the connection, and the owner has not taken the remaining bytes yet.
    case switched
    /// Failed, taken over by another protocol, or finished.
    case closed
  }

  private let limits: HTTP1Limits
  private var state = State.idle
  private var input: InputBuffer
  private var hasEnded = false
  private var hasEndedCleanly = true
  private var method = HTTPRequest.Method.get
  private var offersUpgrade = false
  private var informationalResponses = 0
  private var headParser: ResponseHeadParser
  /// The head of the previous final response.
  private var previous = HeadMemory<ResponseHead>()
  private var chunks: ChunkedDecoder
  private var keepsAlive = true

  /// Creates the machine of a new connection.
  public init(limits: HTTP1Limits = .default) {
    self.limits = limits
    input = InputBuffer(isLenient: limits.mendsResponses)
    headParser = ResponseHeadParser(limits: limits, requestMethod: method)
    chunks = ChunkedDecoder(limits: limits)
  }

  /// Whether another request may begin. The machine does not know whether the last request was sent completely. If the
  /// response came first, do not reuse the connection.
  public var isReusable: Bool {
    if case .idle = state { return keepsAlive && !hasEnded && input.isEmpty }
    return false
  }

  /// Whether the owner should read from the socket. If it stops when this is false, the buffer never holds more than
  /// the larger of ``HTTP1Limits/bufferedBytes`` and ``HTTP1Limits/headBytes``, plus one read.
  public var wantsBytes: Bool {
    if case .closed = state { return false }
    return !hasEnded && input.count < max(limits.bufferedBytes, limits.headBytes)
  }

  /// Tells the machine that a request is being sent. Does nothing unless ``isReusable`` is true.
  /// - Parameters:
  ///   - method: The request's method, which decides whether the response has a body.
  ///   - offersUpgrade: Whether the request has an `Upgrade` field. If not, a 101 is an error.
  public mutating func beginRequest(method: HTTPRequest.Method, offersUpgrade: Bool = false) {
    guard isReusable else { return }
    // The same bytes may mean something else in response to another method, such as HEAD.
    if method != self.method { previous.forgetBytes() }
    self.method = method
    self.offersUpgrade = offersUpgrade
    informationalResponses = 0
    headParser = ResponseHeadParser(
      limits: limits, requestMethod: method, earlier: previous.head?.fields ?? HTTPFields())
    state = .readingHead
  }

  /// Copies received bytes into the buffer. Ignores bytes after the connection's end.
  public mutating func receive(_ bytes: some Collection<UInt8>) {
    if case .closed = state { return }
    guard !hasEnded else { return }
    input.append(bytes)
  }

  /// Tells the machine that the peer sends nothing more.
  /// - Parameter isClean: False when the connection broke (a reset, or TLS without close_notify). A body that ends with
  ///   the connection is then an error, since it may be incomplete (RFC 9112, section 8).
  public mutating func receiveEnd(isClean: Bool = true) {
    hasEnded = true
    hasEndedCleanly = isClean
  }

  /// Ends HTTP on this connection. Call it after a head with ``ResponseHead/endsHTTP``.
  ///
  /// - Returns: The bytes after the head: the first bytes of the new protocol or of the tunnel.
  public mutating func takeRemainder() -> [UInt8] {
    let remainder = input.takeAll()
    close()
    return remainder
  }

  /// Returns the next action.
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

  /// Closes the connection if it has ended, or if bytes arrive without a request.
  private mutating func nextWhileIdle() -> Action {
    if isReusable { return .idle }
    close()
    return .closed
  }

  private mutating func nextInHead() throws(MessageDefect) -> Action {
    let start = headParser.hasStatusLine ? nil : input.mark
    if start != nil, var head = previous.takeRepeated(from: &input) {
      head.mended = input.mended
      return begin(head)
    }
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
    previous.remember(head, start.map { input.bytes(since: $0) })
    return begin(head)
  }

  /// Begins to read the body of a final response.
  private mutating func begin(_ head: ResponseHead) -> Action {
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
    _ = input.takeAll()
  }
}
