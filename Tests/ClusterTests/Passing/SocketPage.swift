import BridgeCore
import BridgeRuntime
import HTTP1
import HTTPTypes
import Testing

@testable import Cluster
@testable import Footbridge
@testable import WebServer

/// A page that talks to a server over a real WebSocket, as the shim does, and keeps the server's messages.
@BridgeActor
final class SocketPage: ByteStreamDelegate {
  /// The messages of the server so far, oldest first.
  private(set) var messages: [JSONValue] = []
  /// Whether the server has closed the connection.
  private(set) var isClosed = false

  private let stream: any ByteStream
  private let connection: HTTPClientConnection
  private var bytes: [UInt8]
  private var waiting: [(isDone: () -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

  /// Opens the socket and says hello.
  init(_ client: HTTPClient, _ origin: HTTPOrigin, cookie: String, shimID: String) async throws {
    let target = RequestTarget.origin(path: "/__footbridge/bridge", query: "page=\(shimID)")
    let exchange = client.send(
      try RequestHead(
        method: .get, target: target,
        fields: [
          .hostField: origin.authority, .origin: origin.description, .cookie: cookie, .upgrade: "websocket",
          .connection: "Upgrade", .secWebSocketVersion: "13", .secWebSocketKey: "dGhlIHNhbXBsZSBub25jZQ==",
          .secWebSocketProtocol: "footbridge.v1",
        ]), to: origin)
    try #require(try await exchange.nextHead().status.code == 101)
    let connection = try #require(exchange.takeConnection())
    self.connection = connection
    (stream, bytes) = connection.detach()
    connection.hand(to: self)
    stream.setReading(true)
    send(
      "hello", InProcessSession.hello,
      ["url": "http://127.0.0.1/", "referrer": "", "received": 0, "topFrame": true, "ancestors": []])
    await wait { self.answer("hello") != nil }
  }

  /// The answer to a request.
  func answer(_ id: String) -> JSONValue? {
    messages.first { $0["type"] == "response" && $0["correlationId"] == .string(id) }
  }

  /// The events of an action.
  func events(_ action: String) -> [JSONValue] {
    messages.compactMap { $0["payload"] }.filter { $0["action"] == .string(action) }
  }

  /// Sends a request.
  func send(_ id: String, _ action: String, _ data: [String: JSONValue]) {
    let message: JSONValue = [
      "version": "1.0", "type": "request", "correlationId": .string(id), "timestamp": 0,
      "payload": ["action": .string(action), "data": .object(data)],
    ]
    let text = Array(message.jsonText.utf8)
    // The masking key is zero, so the text stays unchanged (RFC 6455, section 5.3).
    let length =
      text.count < 126 ? [0x80 | UInt8(text.count)] : [0xFE, UInt8(text.count >> 8), UInt8(text.count & 255)]
    stream.write([0x81] + length + [0, 0, 0, 0] + text)
  }

  /// Waits until a condition is true.
  func wait(until isDone: @escaping () -> Bool) async {
    if isDone() { return }
    await withCheckedContinuation { waiting.append((isDone, $0)) }
  }

  /// Breaks the connection.
  func disconnect() { stream.close() }

  func streamReceived(_ received: UnsafeRawBufferPointer) {
    bytes += received
    while let payload = takeFrame() {
      if let message = try? JSONValue(parsing: payload) { messages.append(message) }
    }
    wake()
  }

  func streamReceivedEnd() { stream.close() }
  func streamSent() {}
  func streamTimerFired() {}

  func streamClosed() {
    isClosed = true
    wake()
  }

  private func wake() {
    let done = waiting.filter { $0.isDone() }
    waiting.removeAll { $0.isDone() }
    for waiter in done { waiter.continuation.resume() }
  }

  private func takeFrame() -> [UInt8]? {
    guard bytes.count >= 2 else { return nil }
    var (length, start) = (Int(bytes[1]), 2)
    if length == 126 {
      guard bytes.count >= 4 else { return nil }
      (length, start) = (Int(bytes[2]) << 8 | Int(bytes[3]), 4)
    } else if length == 127 {
      guard bytes.count >= 10 else { return nil }
      (length, start) = (bytes[2..<10].reduce(0) { $0 << 8 | Int($1) }, 10)
    }
    guard bytes.count >= start + length else { return nil }
    defer { bytes.removeFirst(start + length) }
    return Array(bytes[start..<(start + length)])
  }
}
