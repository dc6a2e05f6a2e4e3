import HTTP1
import HTTPTypes

/// A request that is a WebSocket handshake (RFC 6455, section 4.2.1).
struct WebSocketHandshake {
  /// The subprotocols that the client offers, in its order of preference.
  let subprotocols: [String]
  private let key: String

  /// Checks the request's head.
  init(_ head: RequestHead) throws(WebSocketHandshakeError) {
    guard head.method == .get, head.upgradeProtocols.contains(where: { $0.lowercased() == "websocket" }) else {
      throw .notAnUpgrade
    }
    guard head.fields[values: .secWebSocketVersion] == ["13"] else { throw .unsupportedVersion }
    let keys = head.fields[values: .secWebSocketKey]
    guard keys.count == 1, let key = keys.first, Self.isKey(key) else { throw .invalidKey }
    self.key = key
    subprotocols = head.fields.tokens(of: .secWebSocketProtocol)
  }

  /// The same handshake, written by us, for libwebsockets: only what its own answer needs.
  func cleanHead(host: String, subprotocol: String?) -> [UInt8] {
    var head = "GET / HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\n"
    if let subprotocol { head += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
    return Array((head + "\r\n").utf8)
  }

  /// Sixteen bytes in base64: 22 digits, of which the last one carries two bits, and two signs of padding.
  private static func isKey(_ key: String) -> Bool {
    let bytes = Array(key.utf8)
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    return bytes.count == 24 && bytes[..<22].allSatisfy(digits.contains) && Array("AQgw".utf8).contains(bytes[21])
      && bytes[22...].allSatisfy { $0 == UInt8(ascii: "=") }
  }
}
