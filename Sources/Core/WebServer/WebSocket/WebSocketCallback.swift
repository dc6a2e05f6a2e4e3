import BridgeRuntime
import CLibwebsockets

/// Gets libwebsockets' events of WebSockets. It finds the connection's object and calls it. A result other than 0 makes
/// libwebsockets close the connection.
func webSocketCallback(
  connection: OpaquePointer?,
  reason: lws_callback_reasons,
  user: UnsafeMutableRawPointer?,
  input: UnsafeMutableRawPointer?,
  length: Int
) -> Int32 {
  guard let connection else { return 0 }
  // This is the loop's thread, which is the actor's. The pointers do not leave it.
  return BridgeActor.assumeIsolated((connection, reason, input, length)) { wsi, reason, input, length in
    switch reason {
    case LWS_CALLBACK_ESTABLISHED: WebSocketConnection.established(wsi)
    case LWS_CALLBACK_RECEIVE:
      return webSocket(wsi)?.received(input, length) == .close ? -1 : 0
    case LWS_CALLBACK_RECEIVE_PONG: webSocket(wsi)?.receivedPong()
    case LWS_CALLBACK_SERVER_WRITEABLE:
      return webSocket(wsi)?.becameWritable() == .close ? -1 : 0
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
      return webSocket(wsi)?.peerCloses(input, length) == .close ? -1 : 0
    case LWS_CALLBACK_CLOSED:
      if let opaque = lws_get_opaque_user_data(wsi) {
        lws_set_opaque_user_data(wsi, nil)
        Unmanaged<WebSocketConnection>.fromOpaque(opaque).takeRetainedValue().closed()
        // Timeouts close connections, too.
        EventLoop.runJobsSoon()
      }
    // Only WebSocket handshakes reach libwebsockets. If it wants to answer one as plain HTTP, close the connection.
    case LWS_CALLBACK_HTTP: return -1
    default: break
    }
    return 0
  }
}

@BridgeActor private func webSocket(_ wsi: OpaquePointer) -> WebSocketConnection? {
  lws_get_opaque_user_data(wsi).map { Unmanaged<WebSocketConnection>.fromOpaque($0).takeUnretainedValue() }
}
