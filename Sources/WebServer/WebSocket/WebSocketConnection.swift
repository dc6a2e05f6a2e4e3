public import BridgeRuntime
import CLibwebsockets

/// One WebSocket, spoken by libwebsockets; messages in and out whole.
///
/// Everything that waits when the connection can take bytes goes out in few large writes: with many answers waiting that is several
/// times as fast as a write for each.
@BridgeActor
public final class WebSocketConnection {
  enum Verdict {
    case goOn
    case close
  }

  // What each message needs stands first, together: with many connections it is in no cache of the processor.
  private var wsi: OpaquePointer?
  /// Called with each message, on the actor, where it arrives.
  public var onMessage: ((WebSocketMessage) -> Void)?
  private let server: WebServer
  private var incoming: [UInt8] = []
  private var outgoing = OutgoingFrames()
  private var messageCount = 0
  /// How many bytes of messages wait here, to be complete or to be sent.
  private(set) var heldByteCount = 0
  private var silence: SilenceStateMachine
  /// Whether the connection ends without a close frame.
  private var isCut = false
  /// Whether reading pauses since too much waits to be sent, and since too many messages came in this second.
  private var isBehind = false
  private var isThrottled = false
  private var readingIsPaused = false
  /// Whether a message came in fragments: pings between them are answered first, which libwebsockets does when the connection is writable.
  private var awaitsPongs = false
  private var closing: (code: WebSocketCloseCode, reason: String)?

  /// The subprotocol that was agreed on.
  public nonisolated let subprotocol: String?
  /// Called once when the connection is closed, with the peer's close code if it gave one.
  public var onClose: ((WebSocketCloseCode?) -> Void)?
  private var peerCloseCode: WebSocketCloseCode?
  /// Whether the peer has sent a close frame, and whether one was sent to it.
  private var peerHasClosed = false
  private var hasSentClose = false
  /// Since when messages are counted.
  private var countingStart = ContinuousClock.now

  /// The other end, if that is in this process; libwebsockets then knows nothing of the connection.
  private var inProcessEnd: InProcessWebSocket?

  private static var spareBatches = SpareBatches(headroom: footbridge_lws_pre())

  /// How much room is made for a message at once on the word of its first frame.
  private static let reservedBytes = 256 << 10

  init(server: WebServer, subprotocol: String?) {
    self.server = server
    self.subprotocol = subprotocol
    silence = SilenceStateMachine(server.limits)
  }

  // MARK: For the owner

  /// Whether messages can still be sent.
  public var isOpen: Bool { (wsi != nil || inProcessEnd != nil) && closing == nil && !isCut }

  /// Sends a text message, which is UTF-8.
  public func sendText(_ text: UnsafeBufferPointer<UInt8>) {
    send(.text, text)
  }

  /// Sends a text message of at most `room` bytes, which `write` writes as UTF-8 into the outgoing buffer itself; it returns how many. Only on
  /// a connection that is open: otherwise `write` is not called. It must not send anything else.
  @inline(__always)
  public func sendText(upTo room: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    enqueue { $0.append(.text, upTo: room, from: &Self.spareBatches, write) }
  }

  /// Sends a binary message.
  public func sendBinary(_ bytes: UnsafeBufferPointer<UInt8>) {
    send(.binary, bytes)
  }

  /// Closes the connection once what waits has been sent. A reason is cut to the 123 bytes that a close frame has room for.
  public func close(_ code: WebSocketCloseCode, reason: String = "") {
    guard isOpen else { return }
    closing = (code, reason)
    if let wsi { lws_callback_on_writable(wsi) } else { EventLoop.flushSoon(self) }
  }

  /// Ends the connection at once and without a close frame; what waits to be sent is lost.
  public func cut() {
    guard wsi != nil || inProcessEnd != nil else { return }
    isCut = true
    outgoing.removeAll()
    if let wsi { footbridge_lws_close_soon(wsi) } else { EventLoop.flushSoon(self) }
  }

  private func send(_ kind: WebSocketMessage.Kind, _ payload: UnsafeBufferPointer<UInt8>) {
    enqueue { $0.append(kind, payload, from: &Self.spareBatches) }
  }

  /// Has a frame wait to be sent, if the connection is open.
  @inline(__always)
  private func enqueue(_ append: (inout OutgoingFrames) -> Void) {
    guard isOpen else { return }
    // Frames that wait while libwebsockets has bytes of its own to send go out when it says that the connection is writable.
    let wasEmpty = outgoing.isEmpty
    append(&outgoing)
    frameWaits(wasEmpty: wasEmpty)
  }

  private func frameWaits(wasEmpty: Bool) {
    if outgoing.byteCount > server.limits.webSocketQueueBytes {
      server.onBound?(.queueBytes)
      return closeAtBound("Too much waits to be read.")
    }
    if outgoing.byteCount > server.limits.webSocketQueueBytes / 8 { isBehind = true }
    pauseReading()
    countHeld()
    if wasEmpty { EventLoop.flushSoon(self) }
  }

  /// Closes a connection that holds too much, and lets go of what it holds.
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

  /// Counts a message. The clock is looked at only when there were as many as a second may bring.
  private func countMessage() {
    EventLoop.messages.received()
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

  /// libwebsockets has answered the handshake of a connection that was handed over.
  static func established(_ wsi: OpaquePointer) {
    let descriptor = lws_get_socket_fd(wsi)
    guard let connection = WebServer.takeHandedOver(descriptor) else { return footbridge_lws_close_soon(wsi) }
    lws_set_opaque_user_data(wsi, Unmanaged.passRetained(connection).toOpaque())
    connection.wsi = wsi
    if !connection.outgoing.isEmpty || connection.closing != nil { lws_callback_on_writable(wsi) }
  }

  func received(_ input: UnsafeMutableRawPointer?, _ count: Int) -> Verdict {
    silence.heard()
    guard let wsi, closing == nil, !isCut else { return .goOn }
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
    awaitsPongs = true
    defer { countHeld() }
    guard isComplete else { return .goOn }
    let message = incoming
    incoming = []
    return message.withUnsafeBufferPointer { tell(WebSocketMessage(kind: kind, bytes: $0), wsi) }
  }

  /// Tells of a message, unless it is a text that is none (RFC 6455, section 8.1).
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

  /// One of the ticks has passed by which silence is measured.
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

  /// Whether libwebsockets has no pong and no close frame of its own to send first.
  var hasNothingToAwait: Bool {
    guard let wsi else { return false }
    return !awaitsPongs && lws_get_close_length(wsi) == 0
  }

  func becameWritable() -> Verdict {
    guard let wsi else { return .goOn }
    if isCut { return .close }
    awaitsPongs = false
    // Nothing may follow a close frame, and libwebsockets sends its own without telling.
    if lws_get_close_length(wsi) > 0 { outgoing.removeAll() }
    guard write(wsi) else { return .close }
    if let closing, outgoing.isEmpty, lws_partial_buffered(wsi) == 0 {
      return closeNow(wsi, closing.code, closing.reason)
    }
    return .goOn
  }

  /// Writes what waits. After a turn that may be frames that libwebsockets' close frame must wait for.
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

  /// Writes batches as far as the connection takes them, and asks to go on when it takes more. False when the connection is broken.
  private func write(_ wsi: OpaquePointer) -> Bool {
    while lws_partial_buffered(wsi) == 0, let batch = outgoing.takeBatch() {
      let frames = batch.frames
      let sent = footbridge_lws_write_raw(wsi, frames.baseAddress, frames.count)
      Self.spareBatches.give(batch)
      if sent < 0 { return false }
      // While nothing is read from a peer that is behind, it tells only by reading that it is there.
      if readingIsPaused { silence.heard() }
    }
    if !outgoing.isEmpty || lws_partial_buffered(wsi) != 0 || closing != nil {
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
    guard let wsi, let input, count > 0 else { return .goOn }
    // Half a code: libwebsockets would send it back as it came (RFC 6455, section 5.5.1).
    guard count >= 2 else { return closeNow(wsi, .protocolError, "") }
    let bytes = UnsafeBufferPointer(start: input.assumingMemoryBound(to: UInt8.self), count: count)
    peerCloseCode = WebSocketCloseCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
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

  /// How the connection has broken; nil when it was closed.
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
    var text = Array(reason.utf8.prefix(123))
    text.withUnsafeMutableBufferPointer { buffer in
      lws_close_reason(wsi, lws_close_status(UInt32(code.rawValue)), buffer.baseAddress, buffer.count)
    }
    return .close
  }
}
