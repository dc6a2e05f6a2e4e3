import WebServer

extension WebSocketCloseCode {
  /// 4001: the app that the page is in has ended. The shim does not come back: on a device the page would be gone.
  static let appEnded = WebSocketCloseCode(rawValue: 4001)
}
