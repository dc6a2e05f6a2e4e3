public import HTTPTypes

/// The server's side of one HTTP/1.1 connection (RFC 9112), as a pure state machine: bytes in, actions out.
///
/// Pass every received byte to ``receive(_:)``. Then call ``nextAction()`` until an action says to wait
/// (``Action/needsMoreBytes`` or ``Action/awaitsResponse``) or is ``Action/closed``. The machine handles one request at
/// a time: bytes of the next one wait until ``responseSent()``, so that responses stay in order. How the bytes were
/// split on arrival changes only the pieces of a body.
///
/// ```swift
/// var machine = ServerConnectionStateMachine()
/// machine.receive("GET /cart HTTP/1.1\r\nHost: shop.example\r\n\r\n".utf8)
/// loop: while true {
///   switch machine.nextAction() {
///   case .head(let head): print(head.method, head.target)  // GET /cart
///   case .body, .end: continue
///   case .refuse(let error): print(error.status, error)
///   case .needsMoreBytes, .awaitsResponse, .closed: break loop
///   }
/// }
/// ```
///
/// To close a connection, end the sending side first, and keep reading for a moment. If you close a socket with unread
/// bytes, the system resets the connection, and the peer may lose the response (RFC 9112, section 9.6).
public struct ServerConnectionStateMachine: Sendable {
  /// What the owner must do next.
  public enum Action: Sendable, Hashable {
    /// Wait for bytes and pass them to `receive`.
    case needsMoreBytes
    /// A request begins. Its body and ``end(trailers:)`` follow. The response may begin at once.
    case head(RequestHead)
    /// A piece of the body, never empty.
    case body([UInt8])
    /// The request is complete.
    case end(trailers: HTTPFields)
    /// Wait until the response is sent, then call ``ServerConnectionStateMachine/responseSent()``.
    case awaitsResponse
    /// Send the error's status with `Connection: close`, then close. If the response to this request has already begun,
    /// only close. Occurs at most once; only ``closed`` follows.
    case refuse(RequestError)
    /// Close the connection. No other action follows.
    case closed
  }

  private enum State {
    /// Between requests or within a head.
    case readingHead
    /// Within a body of known length, of which `remaining` bytes are missing. At 0, ``Action/end(trailers:)`` is next.
    case readingBody(remaining: Int)
    /// Within a chunked body.
    case readingChunks
    /// The whole request was reported; its response has not been sent yet.
    case awaitingResponse
    /// Refused, taken over by another protocol, or finished.
    case closed
  }

  private let limits: HTTP1Limits
  private var state = State.readingHead
  private var input = InputBuffer()
  private var hasEnded = false
  private var headParser: RequestHeadParser
  private var previous = HeadMemory<RequestHead>()
  private var chunks: ChunkedDecoder
  private var keepsAlive = true
  private var expectsContinue = false
  /// Whether the rest of the open request's body is discarded, because its response has been sent.
  private var discardsBody = false

  /// Creates the machine of a new connection.
  public init(limits: HTTP1Limits = .default) {
    self.limits = limits
    headParser = RequestHeadParser(limits: limits)
    chunks = ChunkedDecoder(limits: limits)
  }

  /// Copies received bytes into the buffer. Ignores bytes after the connection's end.
  public mutating func receive(_ bytes: some Collection<UInt8>) {
    if case .closed = state { return }
    guard !hasEnded else { return }
    input.append(bytes)
  }

  /// Tells the machine that the peer sends nothing more. Bytes that were received before are still processed.
  public mutating func receiveEnd() {
    hasEnded = true
  }

  /// Whether the owner should read from the socket. If it stops when this is false, the buffer never holds more than
  /// the larger of ``HTTP1Limits/bufferedBytes`` and ``HTTP1Limits/headBytes``, plus one read.
  public var wantsBytes: Bool {
    if case .closed = state { return false }
    return !hasEnded && input.count < max(limits.bufferedBytes, limits.headBytes)
  }

  /// How many received bytes are not consumed yet.
  public var bufferedByteCount: Int { input.count }

  /// Whether no request is open and no byte of one has been received, so that the connection can be closed without
  /// loss.
  public var isIdle: Bool {
    if case .readingHead = state { return input.isEmpty && !headParser.hasRequestLine }
    return false
  }

  /// Whether the connection must close after the response to the open request. If so, send `Connection: close` with it.
  /// Read this when you write the head of the response, before ``responseSent()``.
  ///
  /// True when the request asks for it, when a body of known length has more than ``HTTP1Limits/drainedBytes`` unread
  /// bytes, and when a chunked body has not ended: it may be of any length, and a client that reads "keep-alive" sends its
  /// next request on a connection that closes. Also true when the client waits for a 100 (Continue) and the response
  /// comes first: the client may or may not send the body, so the next bytes are ambiguous.
  public var shouldClose: Bool {
    guard keepsAlive else { return true }
    switch state {
    case .readingHead, .awaitingResponse: return false
    case .readingBody(let remaining): return remaining > 0 && (expectsContinue || remaining > limits.drainedBytes)
    case .readingChunks, .closed: return true
    }
  }

  /// Tells the machine that the complete response has been sent, so that the next request may follow. Discards the rest
  /// of the open request's body, or closes the connection (``shouldClose``). Does nothing when no request is open.
  public mutating func responseSent() {
    guard !discardsBody else { return }
    switch state {
    case .readingHead, .closed: return
    case .awaitingResponse: finishRequest()
    case .readingBody, .readingChunks:
      if shouldClose {
        close()
      } else {
        discardsBody = true
      }
    }
  }

  /// Ends HTTP on this connection. Call it after ``Action/end(trailers:)``, instead of ``responseSent()``.
  ///
  /// - Returns: The bytes after the request: the first bytes of the new protocol or of the tunnel.
  public mutating func takeRemainder() -> [UInt8] {
    let remainder = input.takeAll()
    close()
    return remainder
  }

  /// Returns the next action.
  public mutating func nextAction() -> Action {
    do throws(MessageDefect) {
      while true {
        switch state {
        case .readingHead: return try nextInHead()
        case .readingBody(let remaining): if let action = try nextInBody(remaining) { return action }
        case .readingChunks: return try nextInChunks()
        case .awaitingResponse: return .awaitsResponse
        case .closed: return .closed
        }
      }
    } catch {
      let isAnswered = discardsBody
      close()
      return isAnswered ? .closed : .refuse(RequestError(error))
    }
  }

  private mutating func nextInHead() throws(MessageDefect) -> Action {
    guard let head = try nextHead() else {
      guard hasEnded else { return .needsMoreBytes }
      guard isIdle else { throw .truncatedHead }
      close()
      return .closed
    }
    keepsAlive = head.keepAlive
    expectsContinue = head.expectsContinue
    switch head.bodyFraming {
    case .none: state = .readingBody(remaining: 0)
    case .length(let length): state = .readingBody(remaining: length)
    case .chunked:
      chunks = ChunkedDecoder(limits: limits)
      state = .readingChunks
    }
    return .head(head)
  }

  /// The next head; nil while it is incomplete.
  private mutating func nextHead() throws(MessageDefect) -> RequestHead? {
    let start = headParser.isAtStart ? input.mark : nil
    if start != nil, let head = previous.takeRepeated(from: &input) { return head }
    guard let head = try headParser.next(from: &input) else { return nil }
    previous.remember(head, start.map { input.bytes(since: $0) })
    return head
  }

  private mutating func nextInBody(_ remaining: Int) throws(MessageDefect) -> Action? {
    guard remaining > 0 else {
      guard discardsBody else { return finishBody(trailers: HTTPFields()) }
      finishRequest()
      return nil
    }
    guard !input.isEmpty else { return try waitForBody() }
    if discardsBody {
      state = .readingBody(remaining: remaining - input.skip(upTo: remaining))
      return nil
    }
    let bytes = input.take(upTo: remaining)
    state = .readingBody(remaining: remaining - bytes.count)
    return .body(bytes)
  }

  private mutating func nextInChunks() throws(MessageDefect) -> Action {
    switch try chunks.next(from: &input) {
    case .needsMoreBytes: return try waitForBody()
    case .end(let trailers): return finishBody(trailers: trailers)
    case .data(let bytes): return .body(bytes)
    }
  }

  private func waitForBody() throws(MessageDefect) -> Action {
    if hasEnded { throw .truncatedBody }
    return .needsMoreBytes
  }

  private mutating func finishBody(trailers: HTTPFields) -> Action {
    state = .awaitingResponse
    return .end(trailers: trailers)
  }

  private mutating func finishRequest() {
    discardsBody = false
    guard keepsAlive else { return close() }
    state = .readingHead
    headParser = RequestHeadParser(limits: limits, earlier: previous.head?.fields ?? HTTPFields())
  }

  private mutating func close() {
    state = .closed
    input = InputBuffer()
  }
}
