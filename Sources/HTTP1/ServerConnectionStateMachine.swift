public import HTTPTypes

/// The server's end of one HTTP/1.1 connection: bytes in, actions out, nothing else (RFC 9112).
///
/// The owner gives every byte to ``receive(_:)``, then takes actions until it gets one that waits
/// (``Action/needsMoreBytes`` or ``Action/awaitsResponse``) or ``Action/closed``. Requests come one at a time: bytes
/// of the next one wait until ``responseSent()``, so that answers stay in order. How the bytes were cut into pieces
/// changes no action but how a body is cut.
///
/// A closing owner shuts down its sending side first and reads on for a moment: closing a socket that has unread
/// bytes may take the response from the peer (RFC 9112, section 9.6).
public struct ServerConnectionStateMachine: Sendable {
  /// What the owner must do next.
  public enum Action: Sendable, Hashable {
    /// Wait for bytes, then feed them.
    case needsMoreBytes
    /// A request begins. Its body and ``end(trailers:)`` follow; the response may begin at once.
    case head(RequestHead)
    /// A piece of the body, never empty.
    case body([UInt8])
    /// The request is complete.
    case end(trailers: HTTPFields)
    /// Nothing until ``ServerConnectionStateMachine/responseSent()``.
    case awaitsResponse
    /// Answer with the error's status and `Connection: close`, then close. If the response to this request has begun
    /// already (its body was found wrong or cut short), only close. Comes once; after it there is only ``closed``.
    case refuse(RequestError)
    /// Close. There will be no other action.
    case closed
  }

  private enum State {
    /// Between requests or within a head.
    case readingHead
    /// Within a body that has so many bytes to come; none for a request without a body whose end has not been told.
    case readingBody(remaining: Int)
    /// Within a body of chunks.
    case readingChunks
    /// The whole request has been handed out, its response is not sent.
    case awaitingResponse
    /// Refused, handed over, or done.
    case closed
  }

  private let limits: HTTP1Limits
  private var state = State.readingHead
  private var input = InputBuffer()
  private var hasEnded = false
  private var headParser: RequestHeadParser
  /// The fields of the last head.
  private var fields = HTTPFields()
  private var chunks: ChunkedDecoder
  private var keepsAlive = true
  private var expectsContinue = false
  /// How many more body bytes are thrown away; nil while the request is not answered.
  private var drainAllowance: Int?

  /// Creates the machine of a connection that was just accepted.
  public init(limits: HTTP1Limits = .default) {
    self.limits = limits
    headParser = RequestHeadParser(limits: limits)
    chunks = ChunkedDecoder(limits: limits)
  }

  /// Feeds bytes, which are copied. Bytes after the connection's end are ignored.
  public mutating func receive(_ bytes: some Collection<UInt8>) {
    if case .closed = state { return }
    guard !hasEnded else { return }
    input.append(bytes)
  }

  /// The peer sends nothing more. What it has sent is still handed out.
  public mutating func receiveEnd() {
    hasEnded = true
  }

  /// Whether the owner should read from the socket. An owner that heeds it bounds what waits here to
  /// ``HTTP1Limits/bufferedBytes`` and one read more, however much the peer sends ahead.
  public var wantsBytes: Bool {
    if case .closed = state { return false }
    return !hasEnded && input.count < max(limits.bufferedBytes, limits.headBytes)
  }

  /// Whether no request is open and no byte of one has come: a connection that may be closed without loss.
  public var isIdle: Bool {
    if case .readingHead = state { return input.isEmpty && !headParser.hasRequestLine }
    return false
  }

  /// Whether the connection closes after the response to the open request, for the owner to say so in the response
  /// (`Connection: close`).
  ///
  /// It does when the request asked for it, or when so much of its body is unread that reading it only to find the
  /// next request is not worth it. A body that waits for a 100 (Continue) may never come: its bytes and the next
  /// request's could not be told apart, so that an answer before its end closes as well. Ask when the response head
  /// is written, before ``responseSent()``.
  public var shouldClose: Bool {
    guard keepsAlive else { return true }
    switch state {
    case .readingHead, .awaitingResponse: return false
    case .readingBody(let remaining): return remaining > 0 && (expectsContinue || remaining > limits.drainedBytes)
    case .readingChunks: return expectsContinue
    case .closed: return true
    }
  }

  /// The complete response to the open request has been sent: the next request may come out. What is left of the open
  /// request's body is read and thrown away, or the connection closes (see ``shouldClose``). Does nothing when no
  /// request is open.
  public mutating func responseSent() {
    guard drainAllowance == nil else { return }
    switch state {
    case .readingHead, .closed: return
    case .awaitingResponse: finishRequest()
    case .readingBody, .readingChunks:
      if shouldClose {
        close()
      } else {
        drainAllowance = limits.drainedBytes
      }
    }
  }

  /// Ends HTTP on this connection and gives back the bytes that came after the request: the first bytes of the protocol
  /// that was switched to, or of a tunnel. Call it after ``Action/end(trailers:)`` and instead of ``responseSent()``;
  /// before the end, what is left of the body is among the bytes.
  public mutating func takeRemainder() -> [UInt8] {
    let remainder = input.takeAll()
    close()
    return remainder
  }

  /// The next thing to do.
  public mutating func nextAction() -> Action {
    do throws(MessageDefect) {
      while true {
        switch state {
        case .readingHead: return try nextInHead()
        case .readingBody(let remaining): if let action = try nextInBody(remaining) { return action }
        case .readingChunks: if let action = try nextInChunks() { return action }
        case .awaitingResponse: return .awaitsResponse
        case .closed: return .closed
        }
      }
    } catch {
      let isAnswered = drainAllowance != nil
      close()
      return isAnswered ? .closed : .refuse(RequestError(error))
    }
  }

  private mutating func nextInHead() throws(MessageDefect) -> Action {
    guard let head = try headParser.next(from: &input) else {
      guard hasEnded else { return .needsMoreBytes }
      guard isIdle else { throw .truncatedHead }
      close()
      return .closed
    }
    fields = head.fields
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

  private mutating func nextInBody(_ remaining: Int) throws(MessageDefect) -> Action? {
    guard remaining > 0 else { return finishBody(trailers: HTTPFields()) }
    guard !input.isEmpty else { return try waitForBody() }
    if drainAllowance != nil {
      state = .readingBody(remaining: remaining - input.skip(upTo: remaining))
      return nil
    }
    let bytes = input.take(upTo: remaining)
    state = .readingBody(remaining: remaining - bytes.count)
    return .body(bytes)
  }

  private mutating func nextInChunks() throws(MessageDefect) -> Action? {
    switch try chunks.next(from: &input) {
    case .needsMoreBytes: return try waitForBody()
    case .end(let trailers): return finishBody(trailers: trailers)
    case .data(let bytes):
      guard let allowance = drainAllowance else { return .body(bytes) }
      drainAllowance = allowance - bytes.count
      if bytes.count > allowance { close() }
      return nil
    }
  }

  private func waitForBody() throws(MessageDefect) -> Action {
    if hasEnded { throw .truncatedBody }
    return .needsMoreBytes
  }

  /// The end of a body: told to the owner, or passed over when the request is answered already.
  private mutating func finishBody(trailers: HTTPFields) -> Action? {
    if drainAllowance != nil {
      finishRequest()
      return nil
    }
    state = .awaitingResponse
    return .end(trailers: trailers)
  }

  private mutating func finishRequest() {
    drainAllowance = nil
    guard keepsAlive else { return close() }
    state = .readingHead
    headParser = RequestHeadParser(limits: limits, earlier: fields)
  }

  private mutating func close() {
    state = .closed
    input = InputBuffer()
  }
}
