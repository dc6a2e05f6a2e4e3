import BridgeRuntime
import Foundation
import HTTP1
import Logging
import ServiceLifecycle
import Testing
import WebServer

@testable import Footbridge
@testable import Sessions

@Suite(.timeLimit(.minutes(5))) @BridgeActor struct FootbridgeServerTests {
  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private func makeServer(port: Int = 0, state: String? = nil) throws -> FootbridgeServer {
    var options = FootbridgeOptions()
    options.port = port
    options.state = state
    return try FootbridgeServer(options: options, logger: logger)
  }

  /// Yields the server's addresses once it listens.
  private func listening(_ server: FootbridgeServer) -> AsyncStream<ServerAddresses> {
    let addresses = AsyncStream.makeStream(of: ServerAddresses.self)
    server.onListening = { addresses.continuation.yield($0) }
    return addresses.stream
  }

  private func first(_ addresses: AsyncStream<ServerAddresses>) async throws -> ServerAddresses {
    for await addresses in addresses { return addresses }
    throw CancellationError()
  }

  private func port(_ addresses: ServerAddresses) throws -> Int {
    try #require(addresses.plain.split(separator: ":").last.flatMap { Int($0) })
  }

  /// The status of `GET /__footbridge/health`. Throws if nobody listens.
  private func health(_ addresses: ServerAddresses) async throws -> Int {
    let client = try HTTPClient()
    defer { client.stop() }
    let origin = try #require(HTTPOrigin(addresses.plain))
    let target = RequestTarget.origin(path: "/__footbridge/health", query: nil)
    let exchange = client.send(
      try RequestHead(method: .get, target: target, fields: [.hostField: origin.authority]), to: origin)
    return try await exchange.nextHead().status.code
  }

  @Test func `a server runs until its task is cancelled`() async throws {
    let server = try makeServer()
    let addresses = listening(server)
    let running = Task { try await server.run() }
    let listening = try await first(addresses)
    #expect(try await health(listening) == 200)
    running.cancel()
    try await running.value
    #expect(server.addresses == nil)
    await #expect(throws: HTTPClientError.self) { try await health(listening) }
  }

  @Test func `a server runs until it is told to stop`() async throws {
    let server = try makeServer()
    let listening = try server.start()
    #expect(try server.start() == listening)
    let running = Task { try await server.run() }
    #expect(try await health(listening) == 200)
    await server.stop()
    try await running.value
  }

  @Test func `a server stops with its service group`() async throws {
    let server = try makeServer()
    let addresses = listening(server)
    let group = ServiceGroup(services: [server], logger: logger)
    let running = Task { try await group.run() }
    let listening = try await first(addresses)
    #expect(try await health(listening) == 200)
    await group.triggerGracefulShutdown()
    try await running.value
    await #expect(throws: HTTPClientError.self) { try await health(listening) }
  }

  @Test func `a server on a used port throws an error with a remedy and releases its state`() async throws {
    let other = try makeServer()
    let port = try port(other.start())
    let state = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: state) }
    let server = try makeServer(port: port, state: state)
    let error = await #expect(throws: HTTPServerError.self) {
      try await ServiceGroup(services: [server], logger: logger).run()
    }
    #expect(error == .addressInUse(host: "127.0.0.1", port: port))
    #expect(error?.description.contains("Port \(port) on 127.0.0.1 is in use. Stop the program") == true)
    await other.stop()
    // It has released its state directory, although nobody has stopped it.
    let next = try makeServer(port: port, state: state)
    try next.start()
    await next.stop()
  }

  @Test func `a server that cannot listen on one of its ports listens on none`() async throws {
    let other = try makeServer()
    var options = FootbridgeOptions()
    options.port = 0
    options.tlsPort = try port(other.start())
    options.state = nil
    let server = try FootbridgeServer(options: options, logger: logger)
    #expect(throws: HTTPServerError.self) { try server.start() }
    #expect(server.addresses == nil)
    await other.stop()
    // It can listen once the port is free.
    #expect(try server.start().secure != nil)
    await server.stop()
  }

  @Test func `a server cannot be run twice`() async throws {
    let server = try makeServer()
    try server.start()
    await server.stop()
    await server.stop()
    await #expect(throws: FootbridgeError.stopped) { try await server.run() }
  }
}
