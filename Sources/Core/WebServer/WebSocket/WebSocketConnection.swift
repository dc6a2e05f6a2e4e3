public import BridgeRuntime
import CLibwebsockets
import Essentials

/// The server's end of one WebSocket. It sends and receives whole messages; libwebsockets implements the protocol.
///
/// Queued messages are sent together, in few large writes. With many messages, that is several times as fast as one
/// write for each.
///
/// ```swift
/// let webSocket = try exchange.acceptWebSocket(subprotocol: "footbridge.v1")
/// webSocket.onMessage = { message in webSocket.sendText(message.bytes) }
/// webSocket.onClose = { code in print("closed", code?.rawValue ?? 0) }
/// ```
@BridgeActor
public final class WebSocketConnection: Flushable, ByteHolder {
  /// Whether libwebsockets keeps the connection open after a callback.
  enum Verdict {
    case resume
    case close
  }

  private var wsi: OpaquePointer?
  /// Called with each message as soon as it is complete.
  public var onMessage: ((WebSocketMessage) -> Void)?
  private let server: any WebSocketServer
  private var incoming: [UInt8] = []
  private var outgoing = OutgoingFrames()
  private var messageCount = 0
  /// How many bytes this WebSocket holds: an incomplete incoming message, and queued outgoing frames.
  private(set) var heldByteCount = 0
  private var silence: SilenceStateMachine
  /// Whether the owner ends the connection without a close frame (``cut()``).
  private var isCut = false
  /// Whether reading pauses because too many bytes are queued.
  private var isBehind = false
  /// Whether reading pauses because too many messages arrived in this second.
  private var isThrottled = false
  private var readingIsPaused = false
  /// Whether the incoming message has several fragments. A long message with one fragment arrives in pieces, too.
  private var isFragmented = false
  /// Whether a fragment of a message arrived since the connection was last writable. The peer may have sent a ping
  /// between fragments, which libwebsockets answers when the connection is writable. Frames are sent after that.
  private var awaitsPongs = false
  /// The close frame that the owner wants to send; nil if it does not close the connection.
  package private(set) var closing: (code: WebSocketCloseCode, reason: String)?

  /// The negotiated subprotocol; nil for none.
  public nonisolated let subprotocol: String?
  /// Called once, when the connection is closed, with the close code that the peer sent; nil if it sent none.
  public var onClose: ((WebSocketCloseCode?) -> Void)?
  private var peerCloseCode: WebSocketCloseCode?
  /// Whether the peer has sent a close frame.
  private var peerHasClosed = false
  /// Whether this object has sent a close frame, or has told libwebsockets to do so.
  private var hasSentClose = false
  /// When the counting of ``messageCount`` began.
  private var countingStart = ContinuousClock.now

  /// The other end, if it is in this process. libwebsockets does not know such a connection.
  private var inProcessEnd: InProcessWebSocket?

  private static var spareBatches = SpareBatches(headroom: footbridge_lws_pre())

  /// Connections that were handed over to libwebsockets, by descriptor, until it reports its handshake. That may happen
  /// in a later turn.
  private static var handedOver: [Int32: WebSocketConnection] = [:]

  /// How many bytes to reserve at most for a message whose first frame announces its length.
  private static let reservedBytes = 256 << 10

  init(server: any WebSocketServer, subprotocol: String?) {
    self.server = server
    self.subprotocol = subprotocol
    silence = SilenceStateMachine(server.limits)
  }

  // MARK: For the owner

  /// Whether messages can still be sent.
  public var isOpen: Bool { (wsi != nil || inProcessEnd != nil) && closing == nil && !isCut }

  /// Sends a text message. Does nothing if the connection is not open (``isOpen``).
  ///
  /// - Parameter text: The text in UTF-8. It is copied.
  public func sendText(_ text: UnsafeBufferPointer<UInt8>) {
    send(.text, text)
  }

  /// Sends a text message that `write` writes directly to the outgoing buffer. If the connection is not open, does not
  /// call `write`.
  ///
  /// - Parameters:
  ///   - room: The maximum size of the message, in bytes.
  ///   - write: Writes the text in UTF-8, and returns its size in bytes. It must not send another message.
  public func sendText(upTo room: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    enqueue { $0.append(.text, upTo: room, from: &Self.spareBatches, write) }
  }

  /// Sends a binary message. Does nothing if the connection is not open (``isOpen``).
  ///
  /// - Parameter bytes: The message. It is copied.
  public func sendBinary(_ bytes: UnsafeBufferPointer<UInt8>) {
    send(.binary, bytes)
  }

  /// Sends the queued messages and a close frame, and closes the connection when the peer has answered, or after
  /// ``HTTPServerLimits/webSocketCloseTimeout``. ``onClose`` is called then. Further messages are ignored, in both
  /// directions.
  ///
  /// - Parameters:
  ///   - code: The close code.
  ///   - reason: The reason, of which the first 123 bytes are sent.
  public func close(_ code: WebSocketCloseCode, reason: String = "") {
    guard isOpen else { return }
    closing = (code, reason)
    silence.closes()
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
    let wasEmpty = outgoing.isEmpty
    append(&outgoing)
    frameWaits(wasEmpty: wasEmpty)
  }

  /// A frame was queued. Applies the limits, and schedules sending.
  private func frameWaits(wasEmpty: Bool) {
    if outgoing.byteCount > server.limits.webSocketQueueBytes {
      server.onLimit?(.queueBytes)
      return closeAtLimit("Too many bytes wait to be read.")
    }
    if outgoing.byteCount > server.limits.webSocketQueueBytes / 8 { isBehind = true }
    pauseReading()
    countHeld()
    if wasEmpty { EventLoop.flushSoon(self) }
  }

  /// Closes the connection with 1008, since all connections hold too many bytes.
  func release() {
    closeAtLimit("The server's connections hold too many bytes.")
  }

  /// Frees the bytes that the connection holds, and closes it with 1008.
  func closeAtLimit(_ reason: String) {
    outgoing.removeAll()
    incoming = []
    countHeld()
    close(.policyViolation, reason: reason)
  }

  /// Tells the server how many more or fewer bytes the connection holds.
  private func countHeld() {
    let count = incoming.count + outgoing.byteCount
    guard count != heldByteCount else { return }
    let change = count - heldByteCount
    heldByteCount = count
    server.held.change(by: change)
  }

  /// Pauses or resumes reading, as ``isBehind`` and ``isThrottled`` say.
  private func pauseReading() {
    let isPaused = isBehind || isThrottled
    guard let wsi, isPaused != readingIsPaused else { return }
    readingIsPaused = isPaused
    lws_rx_flow_control(wsi, isPaused ? 0 : 1)
  }

  /// Counts a message, and pauses reading until the second has passed if there were too many. Reads the clock only
  /// then.
  private func countMessage() {
    messageCount += 1
    guard messageCount >= server.limits.webSocketMessagesPerSecond else { return }
    let now = ContinuousClock.now
    let rest = .seconds(1) - (now - countingStart)
    messageCount = 0
    countingStart = now
    guard rest > .zero else { return }
    server.onLimit?(.messageRate)
    isThrottled = true
    pauseReading()
    Task { [weak self] in
      try? await Task.sleep(for: rest)
      self?.resumeReading()
    }
  }

  private func resumeReading() {
    isThrottled = false
    countingStart = .now
    pauseReading()
  }

  // MARK: From the server

  /// Hands a connection over to libwebsockets, which performs the handshake. Takes ownership of the descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: The connection.
  ///   - head: The handshake request for libwebsockets, and the bytes that were read after it.
  ///   - host: The server in libwebsockets' terms.
  /// - Returns: False on failure. The WebSocket is then closed.
  func handOver(_ descriptor: Int32, head: [UInt8], to host: VirtualHost) -> Bool {
    guard let pointer = host.pointer else {
      Essentials.close(descriptor)
      closed()
      return false
    }
    Self.handedOver[descriptor] = self
    let wsi = head.withUnsafeBytes { bytes in
      EventLoop.withoutErrorReports {
        lws_adopt_socket_vhost_readbuf(pointer, descriptor, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
      }
    }
    guard wsi == nil, Self.handedOver.removeValue(forKey: descriptor) != nil else { return true }
    closed()
    return false
  }

  // MARK: From libwebsockets

  /// libwebsockets has answered the handshake of a connection.
  static func established(_ wsi: OpaquePointer) {
    let descriptor = lws_get_socket_fd(wsi)
    guard let connection = handedOver.removeValue(forKey: descriptor) else { return footbridge_lws_close_soon(wsi) }
    lws_set_opaque_user_data(wsi, Unmanaged.passRetained(connection).toOpaque())
    connection.wsi = wsi
    if !connection.outgoing.isEmpty || connection.closing != nil { lws_callback_on_writable(wsi) }
  }

  func received(_ input: UnsafeMutableRawPointer?, _ count: Int) -> Verdict {
    // Ignore what the peer sent after its close frame, or before it got ours (RFC 6455, section 5.5.1). libwebsockets
    // reports the former if it arrives together with the close frame.
    // It is no sign of life either: a peer cannot keep a connection that is being closed.
    guard let wsi, closing == nil, !isCut, !peerHasClosed else { return .resume }
    silence.heard()
    let bytes = UnsafeBufferPointer(start: input?.assumingMemoryBound(to: UInt8.self), count: input == nil ? 0 : count)
    guard incoming.count + bytes.count <= server.limits.webSocketMessageBytes else {
      server.onLimit?(.messageBytes)
      return fail(.messageTooBig, "A message may have \(server.limits.webSocketMessageBytes) bytes.")
    }
    let isComplete = lws_is_final_fragment(wsi) != 0 && lws_remaining_packet_payload(wsi) == 0
    let kind = lws_frame_is_binary(wsi) != 0 ? WebSocketMessage.Kind.binary : .text
    if isComplete { countMessage() }
    if isComplete, incoming.isEmpty { return tell(WebSocketMessage(kind: kind, bytes: bytes)) }
    if incoming.isEmpty {
      let rest = min(Int(clamping: lws_remaining_packet_payload(wsi)), Self.reservedBytes)
      incoming.reserveCapacity(bytes.count + rest)
    }
    incoming.append(contentsOf: bytes)
    if lws_is_final_fragment(wsi) == 0 { isFragmented = true }
    if isFragmented { awaitsPongs = true }
    defer { countHeld() }
    guard isComplete else { return .resume }
    let message = incoming
    incoming = []
    isFragmented = false
    return message.withUnsafeBufferPointer { tell(WebSocketMessage(kind: kind, bytes: $0)) }
  }

  /// Reports a message. If it is a text message but not UTF-8, closes the connection (RFC 6455, section 8.1).
  private func tell(_ message: WebSocketMessage) -> Verdict {
    guard message.kind == .binary || UTF8Text.isValid(message.bytes) else {
      return fail(.invalidFramePayloadData, "A text message must be UTF-8.")
    }
    onMessage?(message)
    return .resume
  }

  /// Closes the connection because of a message, of which nothing is kept.
  private func fail(_ code: WebSocketCloseCode, _ reason: String) -> Verdict {
    incoming = []
    countHeld()
    close(code, reason: reason)
    return .resume
  }

  /// The peer has answered a ping.
  func receivedPong() {
    if closing == nil { silence.heard() }
  }

  /// A tick of the silence timer has passed.
  func tick() {
    switch silence.tick() {
    case .none: break
    case .ping: enqueue { $0.appendPing(from: &Self.spareBatches) }
    case .giveUp where closing == nil:
      server.onLimit?(.silence)
      close(.policyViolation, reason: "No ping was answered.")
    case .giveUp: cut()
    }
  }

  func becameWritable() -> Verdict {
    guard let wsi else { return .resume }
    if isCut { return .close }
    awaitsPongs = false
    // No frame may follow a close frame, and libwebsockets sends its own close frame without telling.
    if lws_get_close_length(wsi) > 0 { outgoing.removeAll() }
    guard write(wsi) else { return .close }
    guard let closing, !hasSentClose, outgoing.isEmpty, lws_partial_buffered(wsi) == 0 else { return .resume }
    return sendClose(wsi, closing.code, closing.reason)
  }

  /// Sends a close frame, and reads on until the peer's close frame arrives.
  ///
  /// If libwebsockets sent the close frame, it would close the connection as soon as another message arrives, even if
  /// the peer sent that message before it got the close frame. Because of bytes that were not read, the system would
  /// then reset the connection, and the peer could lose the close frame.
  private func sendClose(_ wsi: OpaquePointer, _ code: WebSocketCloseCode, _ reason: String) -> Verdict {
    hasSentClose = true
    outgoing.appendClose(code, reason, from: &Self.spareBatches)
    guard write(wsi) else { return .close }
    isBehind = false
    isThrottled = false
    pauseReading()
    lws_set_timeout(
      wsi, PENDING_TIMEOUT_CLOSE_ACK, Int32(clamping: server.limits.webSocketCloseTimeout.components.seconds))
    return .resume
  }

  /// Sends queued frames. Once libwebsockets is about to send a close frame, only the frames of the turn in which it
  /// decided so are sent; later ones are discarded.
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

  /// Sends buffers until the socket is full, and continues when it is writable again. While libwebsockets has bytes of
  /// its own to send, does not send any. Returns false if the connection is broken.
  private func write(_ wsi: OpaquePointer) -> Bool {
    while lws_partial_buffered(wsi) == 0, let batch = outgoing.takeBatch() {
      let frames = batch.frames
      let sent = footbridge_lws_write_raw(wsi, frames.baseAddress, frames.count)
      Self.spareBatches.give(batch)
      if sent < 0 { return false }
      // While reading is paused, and before the close frame is sent, the only sign of life from a peer is that it reads.
      if readingIsPaused || closing != nil { silence.heard() }
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

  /// The peer has sent a close frame with this payload.
  func peerCloses(_ input: UnsafeMutableRawPointer?, _ count: Int) -> Verdict {
    peerHasClosed = true
    // The answer to our close frame ends the connection.
    let isAnswer = closing != nil && hasSentClose
    guard let wsi, let input, count > 0 else { return isAnswer ? .close : .resume }
    // A payload of one byte is no close code, but libwebsockets would send it back (RFC 6455, section 5.5.1).
    guard count >= 2 else { return closeNow(wsi, .protocolError, "") }
    let bytes = UnsafeBufferPointer(start: input.assumingMemoryBound(to: UInt8.self), count: count)
    peerCloseCode = WebSocketCloseCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
    if isAnswer { return .close }
    guard UTF8Text.isValid(UnsafeBufferPointer(rebasing: bytes[2...])) else {
      return closeNow(wsi, .invalidFramePayloadData, "A reason must be UTF-8.")
    }
    return .resume
  }

  /// The connection is closed. Reports this to the server and the owner.
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
      return peerCloseCode.flatMap { $0.isUsual ? nil : .closedByPeer($0) }
    }
    if lws_get_close_length(wsi) > 0 { return .protocolError }
    return isPeerThere(lws_get_socket_fd(wsi)) ? .givenUp : .peerDisconnected
  }

  // MARK: In this process

  /// Connects to a client's end in this process.
  func join(_ end: InProcessWebSocket) {
    inProcessEnd = end
  }

  /// A text message has arrived from the end in this process.
  func receivedInProcess(text: UnsafeBufferPointer<UInt8>) {
    guard isOpen else { return }
    guard text.count <= server.limits.webSocketMessageBytes else {
      server.onLimit?(.messageBytes)
      return close(.messageTooBig, reason: "A message may have \(server.limits.webSocketMessageBytes) bytes.")
    }
    onMessage?(WebSocketMessage(kind: .text, bytes: text))
  }

  /// The end in this process has closed the WebSocket; without a close frame if the code is nil.
  func closedInProcess(_ code: WebSocketCloseCode?) {
    guard inProcessEnd != nil else { return }
    peerCloseCode = code
    closed()
  }

  /// Passes queued messages, and then the close code, to the end in this process.
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

  /// Makes libwebsockets answer the peer's close frame with another code, and end the connection.
  private func closeNow(_ wsi: OpaquePointer, _ code: WebSocketCloseCode, _ reason: String) -> Verdict {
    hasSentClose = true
    var text = OutgoingFrames.closeReason(reason)
    text.withUnsafeMutableBufferPointer { buffer in
      lws_close_reason(wsi, lws_close_status(UInt32(code.rawValue)), buffer.baseAddress, buffer.count)
    }
    return .close
  }
}

/// The server of a WebSocket.
@BridgeActor
protocol WebSocketServer: AnyObject {
  nonisolated var limits: HTTPServerLimits { get }
  /// Called each time a peer reaches a limit.
  var onLimit: ((HTTPServerLimit) -> Void)? { get }
  /// Called each time a WebSocket breaks.
  var onBreak: ((WebSocketBreak) -> Void)? { get }

  /// Counts the bytes that its connections hold.
  var held: HeldBytes { get }
  /// The WebSocket is closed.
  func webSocketEnded(_ connection: WebSocketConnection)
}
