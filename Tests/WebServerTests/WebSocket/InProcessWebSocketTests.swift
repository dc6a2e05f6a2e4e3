import BridgeRuntime
import Testing

@testable import WebServer

/// WebSockets whose both ends are in this process.
@Suite(.timeLimit(.minutes(5))) @BridgeActor struct InProcessWebSocketTests {
  /// What the client's end has heard, in order.
  private func heard(_ webSocket: InProcessWebSocket) -> AsyncStream<String> {
    let heard = AsyncStream.makeStream(of: String.self)
    webSocket.onMessage = { heard.continuation.yield(String(decoding: $0, as: UTF8.self)) }
    webSocket.onClose = { code, reason in
      heard.continuation.yield("closed \(code?.rawValue ?? 0) \(reason)")
      heard.continuation.finish()
    }
    return heard.stream
  }

  private func send(_ text: String, on connection: WebSocketConnection) {
    Array(text.utf8).withUnsafeBufferPointer { connection.sendText($0) }
  }

  @Test func `messages of any length arrive whole and in order, then the close`() async throws {
    let server = try HTTPServer { _ in }
    let webSocket = server.openInProcess(subprotocol: "s")
    let texts = [0, 1, 125, 126, 65_535, 65_536, 200_000].map { String(repeating: "x", count: $0) }
    let heard = heard(webSocket)
    #expect(webSocket.connection.isOpen && webSocket.connection.subprotocol == "s")
    for text in texts { send(text, on: webSocket.connection) }
    webSocket.connection.close(.policyViolation, reason: "Enough.")
    #expect(!webSocket.connection.isOpen)
    var all: [String] = []
    for await each in heard { all.append(each) }
    #expect(all == texts + ["closed 1008 Enough."])
    #expect(server.connectionCount == 0)
    await server.stop()
  }

  @Test func `the server gets the client's messages and close code`() throws {
    let server = try HTTPServer { _ in }
    let webSocket = server.openInProcess()
    var got: [String] = []
    webSocket.connection.onMessage = { got.append(String(decoding: $0.bytes, as: UTF8.self)) }
    webSocket.connection.onClose = { got.append("closed \($0?.rawValue ?? 0)") }
    webSocket.send("a")
    webSocket.close(.goingAway)
    webSocket.send("b")
    #expect(got == ["a", "closed 1001"])
    #expect(server.connectionCount == 0)
  }

  @Test func `queued messages are lost when the connection is cut`() async throws {
    let server = try HTTPServer { _ in }
    let webSocket = server.openInProcess()
    let heard = heard(webSocket)
    send("a", on: webSocket.connection)
    webSocket.connection.cut()
    var all: [String] = []
    for await each in heard { all.append(each) }
    #expect(all == ["closed 0 "])
  }

  @Test func `a message that is too long closes the connection`() async throws {
    var limits = HTTPServerLimits()
    limits.webSocketMessageBytes = 3
    let server = try HTTPServer(limits: limits) { _ in }
    let webSocket = server.openInProcess()
    let heard = heard(webSocket)
    webSocket.send("abcd")
    var all: [String] = []
    for await each in heard { all.append(each) }
    #expect(all == ["closed 1009 A message may have 3 bytes."])
  }

  @Test func `a stopping server closes an in-process WebSocket`() async throws {
    let server = try HTTPServer { _ in }
    let heard = heard(server.openInProcess())
    await server.stop()
    var all: [String] = []
    for await each in heard { all.append(each) }
    #expect(all == ["closed 1001 The server stops."])
  }
}
