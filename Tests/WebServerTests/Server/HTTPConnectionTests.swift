import BridgeRuntime
import Foundation
import HTTPTypes
import Testing

@testable import WebServer

@Suite @BridgeActor struct HTTPConnectionTests {
  private static let limits = HTTPServerLimits()

  /// Returns the stream of a connection whose request has been answered. Its client has read nothing of the answer yet.
  private func answered(
    _ request: String = "GET / HTTP/1.1\r\nHost: a\r\n", closes: Bool = false
  ) async throws -> (stream: TimedStream, connection: HTTPConnection, server: HTTPServer) {
    let isAnswered = AsyncStream.makeStream(of: Void.self)
    let server = try HTTPServer { exchange in
      if closes { exchange.closesConnection = true }
      exchange.respond(.ok, body: [UInt8](repeating: 0, count: 1000))
      isAnswered.continuation.yield()
    }
    let stream = TimedStream()
    let connection = HTTPConnection(server: server, stream: stream, isSecure: false)
    stream.receive(Array((request + "\r\n").utf8))
    for await _ in isAnswered.stream { break }
    return (stream, connection, server)
  }

  @Test(arguments: [false, true])
  func `a response is sent to its end while its client reads`(closes: Bool) async throws {
    let (stream, connection, server) = try await answered(closes: closes)
    for _ in 1...10 {
      stream.advance(by: Self.limits.transferTimeout - .seconds(1))
      stream.take(100)
    }
    #expect(!stream.isClosed)
    stream.take()
    stream.advance(by: closes ? .seconds(1) : Self.limits.keepAliveTimeout - .seconds(1))
    #expect(!stream.isClosed)
    stream.advance(by: .seconds(2))
    #expect(stream.isClosed)
    withExtendedLifetime((connection, server)) {}
  }

  @Test(arguments: [false, true])
  func `a client that stops reading a response is disconnected and reported`(closes: Bool) async throws {
    let (stream, connection, server) = try await answered(closes: closes)
    var limits: [HTTPServerLimit] = []
    server.onLimit = { limits.append($0) }
    stream.take(100)
    stream.advance(by: Self.limits.transferTimeout - .seconds(1))
    #expect(!stream.isClosed)
    stream.advance(by: .seconds(1))
    #expect(stream.isClosed && limits == [.slowTransfer])
    withExtendedLifetime((connection, server)) {}
  }

  @Test(arguments: [false, true])
  func `a stopping server sends a queued HTTP/1 response to its end`(closes: Bool) async throws {
    let (stream, connection, server) = try await answered(closes: closes)
    connection.stop()
    #expect(!stream.isClosed)
    stream.take()
    stream.advance(by: .seconds(2))
    #expect(stream.isClosed)
    withExtendedLifetime((connection, server)) {}
  }

  @Test func `a client that sends on after an early response to its request is read`() async throws {
    let (stream, connection, server) = try await answered(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n")
    stream.take()
    // More than the server reads to keep the connection.
    let chunk = Array("20000\r\n".utf8) + [UInt8](repeating: 0, count: 0x20000) + Array("\r\n".utf8)
    stream.receive(chunk)
    #expect(!stream.isClosed && stream.hasFinishedWriting)
    stream.receive(chunk)
    stream.advance(by: LingerStateMachine.pause)
    #expect(!stream.isClosed && stream.isReading)
    stream.receiveEnd()
    #expect(stream.isClosed)
    withExtendedLifetime((connection, server)) {}
  }

  @Test(arguments: [false, true])
  func `a client that has ended its side gets a queued response to its end`(closes: Bool) async throws {
    let (stream, connection, server) = try await answered(closes: closes)
    stream.receiveEnd()
    stream.take(100)
    #expect(!stream.isClosed)
    stream.take()
    #expect(stream.isClosed)
    withExtendedLifetime((connection, server)) {}
  }

  @Test func `a stopping server closes an idle connection when the response has arrived`() async throws {
    let (stream, connection, server) = try await answered()
    stream.take()
    stream.travelling = 10
    connection.stop()
    #expect(!stream.isClosed && stream.hasFinishedWriting)
    stream.travelling = 0
    stream.advance(by: LingerStateMachine.pause)
    #expect(stream.isClosed)
    withExtendedLifetime((connection, server)) {}
  }

  @Test func `a handler has no timeout once the body has arrived`() async throws {
    let hasBody = AsyncStream.makeStream(of: Bool.self)
    let isLate = AsyncStream.makeStream(of: Void.self)
    let isAnswered = AsyncStream.makeStream(of: Void.self)
    let server = try HTTPServer { exchange in
      hasBody.continuation.yield((try? await exchange.collectBody(limit: 100)) != nil)
      for await _ in isLate.stream { break }
      exchange.respond(.ok)
      isAnswered.continuation.yield()
    }
    let stream = TimedStream()
    let connection = HTTPConnection(server: server, stream: stream, isSecure: false)
    stream.receive(Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na".utf8))
    stream.advance(by: Self.limits.transferTimeout - .seconds(1))
    #expect(!stream.isClosed && stream.written.isEmpty)
    stream.receive(Array("bc".utf8))
    for await isWhole in hasBody.stream {
      #expect(isWhole)
      break
    }
    stream.advance(by: Self.limits.transferTimeout * 100)
    isLate.continuation.yield()
    for await _ in isAnswered.stream { break }
    #expect(String(decoding: stream.written, as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
    withExtendedLifetime((connection, server)) {}
  }

  @Test func `a body that stops is answered 408 at the end of its timeout`() async throws {
    let server = try HTTPServer { exchange in _ = try? await exchange.collectBody(limit: 100) }
    let stream = TimedStream()
    let connection = HTTPConnection(server: server, stream: stream, isSecure: false)
    stream.receive(Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na".utf8))
    stream.advance(by: Self.limits.transferTimeout - .seconds(1))
    #expect(stream.written.isEmpty)
    stream.advance(by: .seconds(1))
    #expect(String(decoding: stream.written, as: UTF8.self).hasPrefix("HTTP/1.1 408 "))
    withExtendedLifetime((connection, server)) {}
  }

  @Test(.timeLimit(.minutes(5)))
  func `a connection closes after a response that began before the server stopped`() async throws {
    let hasBegun = AsyncStream.makeStream(of: Void.self)
    let isStopping = AsyncStream.makeStream(of: Void.self)
    let server = try HTTPServer { exchange in
      exchange.begin(.ok, length: 3)
      hasBegun.continuation.yield()
      for await _ in isStopping.stream { break }
      try? await exchange.write(Array("end".utf8))
      exchange.finish()
    }
    let port = try server.listen(host: "127.0.0.1", port: 0)
    async let answer = withCheckedContinuation { continuation in
      Thread {
        let client = try? RawClient(port: port)
        client?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        // Reads until the server ends the connection.
        continuation.resume(returning: client?.read() ?? "")
      }.start()
    }
    for await _ in hasBegun.stream { break }
    async let stop: Void = server.stop(timeout: .seconds(600))
    while !server.isStopping { await Task.yield() }
    isStopping.continuation.yield()
    #expect(await answer.hasSuffix("end"))
    await stop
  }
}
