package import BridgeRuntime

/// The client's end of a WebSocket within the process, without a socket. For tests of the code behind the server's end.
///
/// What the server sends arrives after the current turn of the event loop, as on a socket. What the client sends is
/// handled at once.
@BridgeActor
package final class InProcessWebSocket {
  /// The server's end.
  package let connection: WebSocketConnection
  /// Called with each message from the server.
  package var onMessage: (([UInt8]) -> Void)?
  /// Called once when the server has closed the WebSocket, with its close code and reason. The code is nil if the
  /// server sent no close frame.
  package var onClose: ((WebSocketCloseCode?, String) -> Void)?

  init(to connection: WebSocketConnection) {
    self.connection = connection
    connection.join(self)
  }

  /// Sends a text message.
  package func send(_ text: String) {
    var text = text
    text.withUTF8 { connection.receivedInProcess(text: $0) }
  }

  /// Closes the WebSocket with a close code. With nil, it ends without a close frame, as when the network fails.
  package func close(_ code: WebSocketCloseCode?) {
    connection.closedInProcess(code)
    onMessage = nil
    onClose = nil
  }

  // MARK: From the server's end

  func received(_ message: [UInt8]) {
    onMessage?(message)
  }

  func wasClosed(_ code: WebSocketCloseCode?, reason: String) {
    let onClose = onClose
    onMessage = nil
    self.onClose = nil
    onClose?(code, reason)
  }

  /// The payloads of the messages in a server's frames (RFC 6455, section 5.2). Each message must be one unmasked
  /// frame. Leaves out control frames.
  static func messages(in frames: UnsafeMutableBufferPointer<UInt8>) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    var start = 0
    while start + 2 <= frames.count {
      let isControl = frames[start] & 0x08 != 0
      var count = Int(frames[start + 1])
      start += 2
      let extended = count == 126 ? 2 : count == 127 ? 8 : 0
      if extended > 0 {
        count = frames[start..<start + extended].reduce(0) { $0 << 8 | Int($1) }
        start += extended
      }
      if !isControl { messages.append(Array(frames[start..<start + count])) }
      start += count
    }
    return messages
  }
}
