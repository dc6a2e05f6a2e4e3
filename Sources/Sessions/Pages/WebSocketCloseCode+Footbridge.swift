import WebServer

extension WebSocketCloseCode {
  /// 4001: the app of the page has ended. The shim does not reconnect; on a device, the page would be gone.
  static let appEnded = WebSocketCloseCode(rawValue: 4001)
}
