public import BridgeRuntime
import CLibwebsockets

/// One WebSocket. It sends and receives whole messages; libwebsockets speaks the protocol.
///
/// Queued messages are sent in few large writes. With many answers, that is several times as fast as one write for each.
///
/// ```swift
/// let webSocket = try exchange.acceptWebSocket(subprotocol: "footbridge.v1")
/// webSocket.onMessage = { message in webSocket.sendText(message.bytes) }
/// webSocket.onClose = { code in print("closed", code?.rawValue ?? 0) }
/// ```
@BridgeActor
public final class WebSocketConnection {
  enum Verdict {
    case goOn
    case close
  }

  private var wsi: OpaquePointer?
  /// Is called with each message, on the actor, as soon as it has arrived.
  public var onMessage: ((WebSocketMessage) -> Void)?
  private let server: HTTPServer
  private var incoming: [UInt8] = []
  private var outgoing = OutgoingFrames()
  private var messageCount = 0
  /// How many bytes this WebSocket holds: an incomplete incoming message, and queued outgoing ones.
  private(set) var heldByteCount = 0
  private var silence: SilenceStateMachine
  /// Whether the connection is ending without a close frame.
  private var isCut = false
  /// Whether reading pauses because too many bytes are queued, and because too many messages arrived in this second.
  private var isBehind = false
  private var isThrottled = false
  private var readingIsPaused = false
  /// Whether the incoming message has several fragments. A long one that has only one arrives in pieces, too.
  private var isFragmented = false
  /// Whether a message arrived in fragments. Pings between them must be answered first; libwebsockets does that when
  /// the connection is writable.
  private var awaitsPongs = false
  private var closing: (code: WebSocketCloseCode, reason: String)?

  /// The negotiated subprotocol; nil for none.
  public nonisolated let subprotocol: String?
  /// Is called once when the connection is closed, with the peer's close code if there was one.
  public var onClose: ((WebSocketCloseCode?) -> Void)?
  private var peerCloseCode: WebSocketCloseCode?
  /// Whether the peer sent a close frame, and whether it got one.
  private var peerHasClosed = false
  private var hasSentClose = false
  /// When the current second of counting began.
  private var countingStart = ContinuousClock.now

  /// The other end, if that is in this process; libwebsockets then knows nothing of the connection.
  private var inProcessEnd: InProcessWebSocket?

  private static var spareBatches = SpareBatches(headroom: footbridge_lws_pre())

  /// The most bytes to reserve for a message by the length in its first frame.
  private static let reservedBytes = 256 << 10

  init(server: HTTPServer, subprotocol: String?) {
    self.server = server
    self.subprotocol = subprotocol
    silence = SilenceStateMachine(server.limits)
  }

  // MARK: For the owner

  /// Whether messages can still be sent.
  public var isOpen: Bool { (wsi != nil || inProcessEnd != nil) && closing == nil && !isCut }

  /// Sends a text message.
  ///
  /// - Parameter text: The text in UTF-8. It is copied.
  public func sendText(_ text: UnsafeBufferPointer<UInt8>) {
    send(.text, text)
  }

  /// Sends a text message that `write` puts directly into the outgoing buffer. If the connection is not open, `write`
  /// is not called.
  ///
  /// - Parameters:
  ///   - room: The largest size of the message, in bytes.
  ///   - write: Writes the text in UTF-8, and returns its size. It must not send anything.
  public func sendText(upTo room: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    enqueue { $0.append(.text, upTo: room, from: &Self.spareBatches, write) }
  }

  /// Sends a binary message.
  ///
  /// - Parameter bytes: The message. It is copied.
  public func sendBinary(_ bytes: UnsafeBufferPointer<UInt8>) {
    send(.binary, bytes)
  }

  /// Closes the connection after the queued messages are sent.
  ///
  /// - Parameters:
  ///   - code: The close code.
  ///   - reason: The reason, truncated to the 123 bytes that fit into a close frame.
  public func close(_ code: WebSocketCloseCode, reason: String = "") {
    guard isOpen else { return }
    closing = (code, reason)
    if let wsi { lws_callback_on_writable(wsi) } else { EventLoop.flushSoon(self) }
  }

  /// Ends the connection at once, without a close frame. Queued messages are lost.
  public func cut() {
    guard wsi != nil || inProcessEnd != nil else { return }
    isCut = true
    outgoing.removeAll()
    if let wsi { footbridge_lws_close_soon(wsi) } else { EventLoop.flushSoon(self) }
  }

  private func send(_ kind: WebSocketMessage.Kind, _ payload: UnsafeBufferPointer<UInt8>) {
    enqueue { $0.append(kind, payload, from: &Self.spareBatches) }
  }

  /// Queues a frame, if the connection is open.
  private func enqueue(_ append: (inout OutgoingFrames) -> Void) {
    guard isOpen else { return }
    // While libwebsockets has bytes to send itself, frames wait until it reports that the connection is writable.
    let wasEmpty = outgoing.isEmpty
    append(&outgoing)
    frameWaits(wasEmpty: wasEmpty)
  }

  private func frameWaits(wasEmpty: Bool) {
    if outgoing.byteCount > server.limits.webSocketQueueBytes {
      server.onBound?(.queueBytes)
      return closeAtBound("Too many bytes wait to be read.")
    }
    if outgoing.byteCount > server.limits.webSocketQueueBytes / 8 { isBehind = true }
    pauseReading()
    countHeld()
    if wasEmpty { EventLoop.flushSoon(self) }
  }

  /// Closes a connection that holds too many bytes, and frees them.
  func closeAtBound(_ reason: String) {
    outgoing.removeAll()
    incoming = []
    countHeld()
    close(.policyViolation, reason: reason)
  }

  private func countHeld() {
    let count = incoming.count + outgoing.byteCount
    guard count != heldByteCount else { return }
    let change = count - heldByteCount
    heldByteCount = count
    server.webSocketHolds(change)
  }

  private func pauseReading() {
    let isPaused = isBehind || isThrottled
    guard let wsi, isPaused != readingIsPaused else { return }
    readingIsPaused = isPaused
    lws_rx_flow_control(wsi, isPaused ? 0 : 1)
  }

  /// Counts a message. Reads the clock only when the limit for a second is reached.
  private func countMessage() {
    messageCount += 1
    guard messageCount >= server.limits.webSocketMessagesPerSecond else { return }
    let now = ContinuousClock.now
    let rest = .seconds(1) - (now - countingStart)
    messageCount = 0
    countingStart = now
    guard rest > .zero else { return }
    server.onBound?(.messageRate)
    isThrottled = true
    pauseReading()
    Task { [weak self] in
      try? await Task.sleep(for: rest)
      self?.goOnReading()
    }
  }

  private func goOnReading() {
    isThrottled = false
    countingStart = .now
    pauseReading()
  }

  // MARK: From libwebsockets

  /// libwebsockets has answered the handshake of a connection.
  static func established(_ wsi: OpaquePointer) {
    let descriptor = lws_get_socket_fd(wsi)
    guard let connection = HTTPServer.takeHandedOver(descriptor) else { return footbridge_lws_close_soon(wsi) }
    lws_set_opaque_user_data(wsi, Unmanaged.passRetained(connection).toOpaque())
    connection.wsi = wsi
    if !connection.outgoing.isEmpty || connection.closing != nil { lws_callback_on_writable(wsi) }
  }

  func received(_ input: UnsafeMutableRawPointer?, _ count: Int) -> Verdict {
    silence.heard()
    // libwebsockets also reports what follows a close frame in the same bytes (RFC 6455, section 5.5.1).
    guard let wsi, closing == nil, !isCut, !peerHasClosed else { return .goOn }
    let bytes = UnsafeBufferPointer(start: input?.assumingMemoryBound(to: UInt8.self), count: input == nil ? 0 : count)
    guard incoming.count + bytes.count <= server.limits.webSocketMessageBytes else {
      server.onBound?(.messageBytes)
      return closeNow(wsi, .messageTooBig, "A message may have \(server.limits.webSocketMessageBytes) bytes.")
    }
    let isComplete = lws_is_final_fragment(wsi) != 0 && lws_remaining_packet_payload(wsi) == 0
    let kind = lws_frame_is_binary(wsi) != 0 ? WebSocketMessage.Kind.binary : .text
    if isComplete { countMessage() }
    if isComplete, incoming.isEmpty { return tell(WebSocketMessage(kind: kind, bytes: bytes), wsi) }
    if incoming.isEmpty {
      let rest = min(Int(clamping: lws_remaining_packet_payload(wsi)), Self.reservedBytes)
      incoming.reserveCapacity(bytes.count + rest)
    }
    incoming.append(contentsOf: bytes)
    if lws_is_final_fragment(wsi) == 0 { isFragmented = true }
    if isFragmented { awaitsPongs = true }
    defer { countHeld() }
    guard isComplete else { return .goOn }
    let message = incoming
    incoming = []
    isFragmented = false
    return message.withUnsafeBufferPointer { tell(WebSocketMessage(kind: kind, bytes: $0), wsi) }
  }

  /// Reports a message, unless it is a text that is not UTF-8 (RFC 6455, section 8.1).
  private func tell(_ message: WebSocketMessage, _ wsi: OpaquePointer) -> Verdict {
    guard message.kind == .binary || UTF8Text.isValid(message.bytes) else {
      return closeNow(wsi, .invalidFramePayloadData, "A text message must be UTF-8.")
    }
    onMessage?(message)
    return .goOn
  }

  /// The peer has answered a ping.
  func receivedPong() {
    silence.heard()
  }

  /// A tick of the silence timer has passed.
  func tick() {
    switch silence.tick() {
    case .none: break
    case .ping: enqueue { $0.appendPing(from: &Self.spareBatches) }
    case .giveUp where closing == nil:
      server.onBound?(.silence)
      close(.policyViolation, reason: "No ping was answered.")
    case .giveUp: cut()
    }
  }

  func becameWritable() -> Verdict {
    guard let wsi else { return .goOn }
    if isCut { return .close }
    awaitsPongs = false
    // Nothing may follow a close frame, and libwebsockets sends its own without notice.
    if lws_get_close_length(wsi) > 0 { outgoing.removeAll() }
    guard write(wsi) else { return .close }
    guard let closing, !hasSentClose, outgoing.isEmpty, lws_partial_buffered(wsi) == 0 else { return .goOn }
    return sendClose(wsi, closing.code, closing.reason)
  }

  /// Sends a close frame, and reads on until the peer's has come.
  ///
  /// libwebsockets would close the connection as soon as another message arrives, although the peer has sent it before it knew of the
  /// close. What was not read then makes the system reset the connection, and the peer may lose the close frame.
  private func sendClose(_ wsi: OpaquePointer, _ code: WebSocketCloseCode, _ reason: String) -> Verdict {
    hasSentClose = true
    outgoing.appendClose(code, reason, from: &Self.spareBatches)
    guard write(wsi) else { return .close }
    isBehind = false
    isThrottled = false
    pauseReading()
    lws_set_timeout(
      wsi, PENDING_TIMEOUT_CLOSE_ACK, Int32(clamping: server.limits.webSocketCloseTimeout.components.seconds))
    return .goOn
  }

  /// Sends queued frames. After a turn, these may be frames that come before libwebsockets' close frame.
  func flush(isAfterTurn: Bool) {
    guard let wsi else { return flushInProcess() }
    if isCut { return }
    let isClosing = lws_get_close_length(wsi) > 0
    if isClosing, !isAfterTurn { outgoing.removeAll() }
    if awaitsPongs, !isClosing {
      lws_callback_on_writable(wsi)
    } else if !write(wsi) {
      footbridge_lws_close_soon(wsi)
    }
  }

  /// Sends buffers until the connection is full, and continues when it is writable. Returns false when the connection
  /// is broken.
  private func write(_ wsi: OpaquePointer) -> Bool {
    while lws_partial_buffered(wsi) == 0, let batch = outgoing.takeBatch() {
      let frames = batch.frames
      let sent = footbridge_lws_write_raw(wsi, frames.baseAddress, frames.count)
      Self.spareBatches.give(batch)
      if sent < 0 { return false }
      // While reading is paused, a peer shows that it is there only by reading.
      if readingIsPaused { silence.heard() }
    }
    if !outgoing.isEmpty || lws_partial_buffered(wsi) != 0 || closing != nil && !hasSentClose {
      lws_callback_on_writable(wsi)
    } else {
      isBehind = false
      pauseReading()
    }
    countHeld()
    return true
  }

  func peerCloses(_ input: UnsafeMutableRawPointer?, _ count: Int) -> Verdict {
    peerHasClosed = true
    // The answer to our close frame ends the connection.
    let isAnswer = closing != nil && hasSentClose
    guard let wsi, let input, count > 0 else { return isAnswer ? .close : .goOn }
    // Half a close code, which libwebsockets would send back unchanged (RFC 6455, section 5.5.1).
    guard count >= 2 else { return closeNow(wsi, .protocolError, "") }
    let bytes = UnsafeBufferPointer(start: input.assumingMemoryBound(to: UInt8.self), count: count)
    peerCloseCode = WebSocketCloseCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
    if isAnswer { return .close }
    guard UTF8Text.isValid(UnsafeBufferPointer(rebasing: bytes[2...])) else {
      return closeNow(wsi, .invalidFramePayloadData, "A reason must be UTF-8.")
    }
    return .goOn
  }

  func closed() {
    if let reason = breakReason { server.onBreak?(reason) }
    wsi = nil
    inProcessEnd = nil
    incoming = []
    outgoing.removeAll()
    countHeld()
    server.webSocketEnded(self)
    let onClose = onClose
    onMessage = nil
    self.onClose = nil
    onClose?(peerCloseCode)
  }

  /// How the connection broke; nil when it was closed normally.
  private var breakReason: WebSocketBreak? {
    guard let wsi, !hasSentClose, !isCut else { return nil }
    if peerHasClosed {
      return peerCloseCode.flatMap { [.normalClosure, .goingAway].contains($0) ? nil : .closedByPeer($0) }
    }
    if lws_get_close_length(wsi) > 0 { return .protocolError }
    return isPeerThere(lws_get_socket_fd(wsi)) ? .givenUp : .peerGone
  }

  /// Ends a connection that libwebsockets never established.
  func failed() {
    closed()
  }

  // MARK: In this process

  /// Joins the connection to an end in this process.
  func join(_ end: InProcessWebSocket) {
    inProcessEnd = end
  }

  /// A text message has come from the end in this process.
  func receivedInProcess(text: UnsafeBufferPointer<UInt8>) {
    guard isOpen else { return }
    guard text.count <= server.limits.webSocketMessageBytes else {
      server.onBound?(.messageBytes)
      return close(.messageTooBig, reason: "A message may have \(server.limits.webSocketMessageBytes) bytes.")
    }
    onMessage?(WebSocketMessage(kind: .text, bytes: text))
  }

  /// The end in this process is closed, or gone without a code.
  func closedInProcess(_ code: WebSocketCloseCode?) {
    guard inProcessEnd != nil else { return }
    peerCloseCode = code
    closed()
  }

  /// Hands what waits to the end in this process.
  private func flushInProcess() {
    guard let end = inProcessEnd else { return }
    while !isCut, let batch = outgoing.takeBatch() {
      let messages = InProcessWebSocket.messages(in: batch.frames)
      Self.spareBatches.give(batch)
      for message in messages { end.received(message) }
    }
    isBehind = false
    countHeld()
    guard isCut || closing != nil, inProcessEnd != nil else { return }
    let closing = isCut ? nil : closing
    closed()
    end.wasClosed(closing?.code, reason: closing?.reason ?? "")
  }

  private func closeNow(_ wsi: OpaquePointer, _ code: WebSocketCloseCode, _ reason: String) -> Verdict {
    hasSentClose = true
    var text = OutgoingFrames.closeReason(reason)
    text.withUnsafeMutableBufferPointer { buffer in
      lws_close_reason(wsi, lws_close_status(UInt32(code.rawValue)), buffer.baseAddress, buffer.count)
    }
    return .close
  }
}
