import HTTP1
import HTTPTypes
import Testing

@testable import WebServer

@Suite struct WebSocketHandshakeTests {
  private func head(_ changes: [String: String?] = [:], method: HTTPRequest.Method = .get) throws -> RequestHead {
    var lines: [String: String] = [
      "Host": "localhost", "Upgrade": "websocket", "Connection": "keep-alive, Upgrade", "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "one, two",
    ]
    for (name, value) in changes { lines[name] = value }
    var fields: HTTPFields = [:]
    for (name, value) in lines { fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
    let target = try #require(RequestTarget("/", method: method))
    return try RequestHead(method: method, target: target, fields: fields)
  }

  @Test func `a browser's handshake is accepted`() throws {
    let handshake = try WebSocketHandshake(try head())
    #expect(handshake.subprotocols == ["one", "two"])
    let clean = String(decoding: handshake.cleanHead(host: "here", subprotocol: "two"), as: UTF8.self)
    #expect(clean.hasPrefix("GET / HTTP/1.1\r\nHost: here\r\n"))
    #expect(clean.contains("\r\nSec-WebSocket-Protocol: two\r\n"))
    #expect(clean.hasSuffix("\r\n\r\n"))
  }

  @Test(
    arguments: [
      ("Upgrade", nil, .notAnUpgrade), ("Connection", "keep-alive", .notAnUpgrade), ("Upgrade", "h2c", .notAnUpgrade),
      ("Sec-WebSocket-Version", "8", .unsupportedVersion), ("Sec-WebSocket-Version", nil, .unsupportedVersion),
      ("Sec-WebSocket-Key", nil, .invalidKey), ("Sec-WebSocket-Key", "short", .invalidKey),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZR==", .invalidKey),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j****", .invalidKey),
    ] as [(String, String?, WebSocketHandshakeError)])
  func `a handshake that RFC 6455 does not allow is refused`(
    field: String, value: String?, error: WebSocketHandshakeError
  ) throws {
    let head = try head([field: value])
    #expect(throws: error) { try WebSocketHandshake(head) }
  }

  @Test func `only GET opens a WebSocket`() throws {
    let head = try head(method: .post)
    #expect(throws: WebSocketHandshakeError.notAnUpgrade) { try WebSocketHandshake(head) }
  }
}
