import BridgeRuntime
import Foundation
import Testing

@testable import WebServer

/// What a connection holds until it is closed.
@Suite struct WebSocketConnectionTests {
  /// What the owner of a connection has with it: each holds the other, as a page and its socket do.
  @BridgeActor
  private final class Owner {
    var connection: WebSocketConnection?
  }

  /// What is left of a connection.
  @BridgeActor
  private final class Traces {
    weak var connection: WebSocketConnection?
    weak var owner: Owner?
    var closings = 0

    nonisolated init() {}

    /// Waits until nothing is left, for as long as that may take: what is done in the same turn.
    func isGone() async -> Bool {
      for _ in 0..<10_000 where connection != nil || owner != nil { await Task.yield() }
      return connection == nil && owner == nil
    }

    /// Joins an owner and a connection, which nobody else holds.
    func join(_ connection: WebSocketConnection, _ onMessage: @escaping (WebSocketConnection) -> Void) {
      let owner = Owner()
      owner.connection = connection
      self.connection = connection
      self.owner = owner
      connection.onMessage = { _ in
        if let connection = owner.connection { onMessage(connection) }
      }
      connection.onClose = { [self] _ in
        closings += 1
        // The owner does not let go by itself.
        self.owner = owner
      }
    }
  }

  /// How a connection comes to its end.
  private enum End: CaseIterable {
    case peerGoes, peerCloses, peerBreaksRules, serverCloses, serverCuts, serverStops
  }

  /// What the peer does: it waits for an answer, and for the close frame if there is one.
  private static func talk(to port: Int, _ end: End) throws {
    let client = try RawClient(port: port)
    _ = client.openWebSocket()
    client.send([0x82, 0x80, 0, 0, 0, 0])
    switch end {
    case .peerGoes: #expect(client.readBytes(2) == [0x81, 0])
    case .peerCloses:
      #expect(client.readBytes(2) == [0x81, 0])
      client.send([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8])
      #expect(client.readBytes(4) == [0x88, 2, 0x03, 0xE8])
    case .peerBreaksRules:
      #expect(client.readBytes(2) == [0x81, 0])
      client.send([0x81, 0x81, 0, 0, 0, 0, 0xFF])
      #expect(client.readBytes(4).suffix(2) == [0x03, 0xEF])
    case .serverCloses:
      #expect(client.readBytes(4).suffix(2) == [0x03, 0xF0])
    case .serverCuts: #expect(client.readBytes(1) == [])
    case .serverStops:
      #expect(client.readBytes(2) == [0x81, 0])
      #expect(client.readBytes(4).suffix(2) == [0x03, 0xE9])
    }
  }

  /// RFC 6455, section 5.5.1: nothing follows a close frame. Autobahn's case 7.1.4 sends a message behind it.
  @Test func `a message after a close frame is discarded`() async throws {
    let received = AsyncStream.makeStream(of: [UInt8].self)
    let (server, port) = try await { @BridgeActor in
      let server = try HTTPServer { exchange in
        guard let connection = try? exchange.acceptWebSocket() else { return }
        connection.onMessage = { received.continuation.yield(Array($0.bytes)) }
        connection.onClose = { _ in received.continuation.finish() }
      }
      return (server, try server.listen(host: "127.0.0.1", port: 0))
    }()
    Thread {
      guard let client = try? RawClient(port: port) else { return received.continuation.finish() }
      _ = client.openWebSocket()
      let message = { (byte: UInt8) -> [UInt8] in [0x82, 0x81, 0, 0, 0, 0, byte] }
      client.send(message(1) + [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8] + message(2))
      _ = client.read()
    }.start()
    var messages: [[UInt8]] = []
    for await message in received.stream { messages.append(message) }
    #expect(messages == [[1]])
    await server.stop()
  }

  /// Why a server sends a close frame before the peer does.
  private enum Reason: CaseIterable {
    case ownerCloses, textIsNotUTF8, messageIsTooBig

    /// A message with a mask of zeros.
    var message: [UInt8] {
      switch self {
      case .ownerCloses: [0x82, 0x81, 0, 0, 0, 0, 1]
      case .textIsNotUTF8: [0x81, 0x81, 0, 0, 0, 0, 0xFF]
      case .messageIsTooBig: [0x82, 0x85, 0, 0, 0, 0, 1, 2, 3, 4, 5]
      }
    }

    var code: [UInt8] {
      switch self {
      case .ownerCloses: [0x03, 0xF0]
      case .textIsNotUTF8: [0x03, 0xEF]
      case .messageIsTooBig: [0x03, 0xF1]
      }
    }
  }

  /// What was not read when a connection is closed makes the system reset it, and the peer may lose the close frame.
  @Test(arguments: Reason.allCases)
  private func `the server reads on until the peer has answered its close frame`(_ reason: Reason) async throws {
    var limits = HTTPServerLimits()
    limits.webSocketMessageBytes = 4
    // The other tests may keep the loop and this client busy for long.
    limits.webSocketCloseTimeout = .seconds(60)
    let ends = AsyncStream.makeStream(of: WebSocketCloseCode?.self)
    let (server, port) = try await { @BridgeActor [limits] in
      let server = try HTTPServer(limits: limits) { exchange in
        guard let connection = try? exchange.acceptWebSocket() else { return }
        connection.onMessage = { _ in connection.close(.policyViolation, reason: "No more.") }
        connection.onClose = { ends.continuation.yield($0) }
      }
      return (server, try server.listen(host: "127.0.0.1", port: 0))
    }()
    Thread {
      guard let client = try? RawClient(port: port) else { return ends.continuation.finish() }
      _ = client.openWebSocket()
      client.send(reason.message)
      #expect(client.readBytes(4).suffix(2) == reason.code)
      client.send(reason.message)
      // The server has seen the message by the time it has answered another client.
      let other = try? RawClient(port: port)
      _ = other?.openWebSocket()
      client.send([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8])
      _ = client.read()
      withExtendedLifetime(other) {}
    }.start()
    var iterator = ends.stream.makeAsyncIterator()
    let first = await iterator.next()
    #expect(first == .some(.normalClosure))
    await server.stop()
  }

  @Test(arguments: End.allCases) private func `a closed WebSocket releases everything`(_ end: End)
    async throws
  {
    let traces = Traces()
    let received = AsyncStream.makeStream(of: Void.self)
    let (server, port) = try await { @BridgeActor in
      let server = try HTTPServer { exchange in
        guard let connection = try? exchange.acceptWebSocket() else { return }
        traces.join(connection) {
          received.continuation.yield()
          switch end {
          case .serverCloses: $0.close(.policyViolation, reason: "No more.")
          case .serverCuts: $0.cut()
          default: $0.sendText(UnsafeBufferPointer(start: nil, count: 0))
          }
        }
      }
      return (server, try server.listen(host: "127.0.0.1", port: 0))
    }()
    let done = AsyncStream.makeStream(of: Result<Void, any Error>.self)
    // A thread of its own: what blocks one of the others keeps the server from being stopped.
    Thread {
      done.continuation.yield(Result { try Self.talk(to: port, end) })
      received.continuation.finish()
    }.start()
    var messages = received.stream.makeAsyncIterator()
    await messages.next()
    if end == .serverStops { await server.stop(timeout: .seconds(60)) }
    var results = done.stream.makeAsyncIterator()
    try await results.next()?.get()
    await server.stop()
    #expect(await traces.isGone())
    #expect(await traces.closings == 1)
  }

  @Test @BridgeActor func `a WebSocket that was never established releases everything`() async throws {
    let server = try HTTPServer { _ in }
    let traces = Traces()
    do {
      let connection = WebSocketConnection(server: server, subprotocol: nil)
      traces.join(connection) { _ in }
      #expect(traces.owner != nil)
      connection.closed()
    }
    #expect(traces.connection == nil && traces.owner == nil)
    #expect(traces.closings == 1)
    await server.stop()
  }
}
