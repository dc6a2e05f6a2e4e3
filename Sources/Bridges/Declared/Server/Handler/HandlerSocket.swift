import BridgeRuntime
import Sessions
import WebServer

/// A handler that has connected to the control API. Each text message of the WebSocket has one or more lines.
@BridgeActor
final class HandlerSocket: HandlerTransport {
  private let connection: WebSocketConnection
  private var handler: DeclaredHandler?

  /// The WebSocket itself limits the messages that wait for the other end.
  let window = Int.max

  private init(_ connection: WebSocketConnection) { self.connection = connection }

  /// Connects a handler: for one session, or for all.
  static func connect(_ connection: WebSocketConnection, to handlers: DeclaredHandlers, session: String?) {
    let socket = HandlerSocket(connection)
    let handler = handlers.connect(session: session, socket) {
      connection.close(.normalClosure, reason: "The session has ended, or another handler has connected.")
    }
    socket.handler = handler
    connection.onMessage = { message in socket.received(message) }
    connection.onClose = { [weak connection] _ in
      var reason: String?
      if let closing = connection?.closing, closing.code == .messageTooBig {
        reason = "has sent a message that is too long, and was disconnected. \(closing.reason)"
      }
      handlers.disconnected(handler, socket, session: session, because: reason)
    }
  }

  func send(_ line: HandlerLine) {
    line.bytes.dropLast().withUnsafeBufferPointer { connection.sendText($0) }
    handler?.accepted(line)
  }

  private func received(_ message: WebSocketMessage) {
    guard message.kind == .text, let handler else {
      return connection.close(.unsupportedData, reason: "Messages are text.")
    }
    var lines = HandlerLines(limit: max(message.bytes.count, 1))
    for line in lines.push(Array(message.bytes) + [0x0A]) { handler.receive(line) }
  }
}
