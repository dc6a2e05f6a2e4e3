import BridgeRuntime
import Foundation
import HTTP1
import HTTPTypes
import Testing

@testable import WebServer

@Suite struct HTTPServerTests {
  /// A server on a free port, for as long as `body` runs on a thread of its own.
  private func withServer<Result: Sendable>(
    limits: HTTPServerLimits = HTTPServerLimits(),
    fixedFields: HTTPFields = [:],
    handler: @escaping HTTPServer.Handler,
    _ body: @escaping @Sendable (Int) throws -> Result
  ) async throws -> Result {
    let (server, port) = try await { @BridgeActor in
      let server = try HTTPServer(limits: limits, fixedFields: fixedFields, handler: handler)
      return (server, try server.listen(host: "127.0.0.1", port: 0))
    }()
    let result = await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: Swift.Result { try body(port) }) }.start()
    }
    await server.stop()
    return try result.get()
  }

  @Test func `a handler reads the body piece by piece and answers`() async throws {
    let answer = try await withServer { exchange in
      let body = try? await exchange.collectBody(limit: 100)
      exchange.respond(.ok, body: Array((body ?? []).reversed()))
    } _: { port in
      let client = try RawClient(port: port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc")
      client.send("def")
      return client.read(until: "fedcba")
    }
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.hasSuffix("fedcba"))
  }

  @Test func `fixed fields are in every response and refusal`() async throws {
    let (answer, refusal) = try await withServer(fixedFields: [.cacheControl: "no-store"]) { exchange in
      exchange.respond(.ok, fields: [.cacheControl: "max-age=60"], body: Array("end".utf8))
    } _: { port in
      let client = try RawClient(port: port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = client.read(until: "end")
      client.send("nonsense\r\n\r\n")
      return (answer, client.read(until: "\r\n\r\n"))
    }
    #expect(answer.contains("\r\nCache-Control: no-store\r\n") && !answer.contains("max-age"))
    #expect(refusal.hasPrefix("HTTP/1.1 400 ") && refusal.contains("\r\nCache-Control: no-store\r\n"))
  }

  @Test func `an expectation of 100-continue is answered when the handler reads the body`() async throws {
    let (interim, final) = try await withServer { exchange in
      let body = try? await exchange.collectBody(limit: 100)
      exchange.respond(.ok, body: body ?? [])
    } _: { port in
      let client = try RawClient(port: port)
      client.send("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n")
      let interim = client.read(until: "\r\n\r\n")
      client.send("5\r\nhello\r\n0\r\n\r\n")
      return (interim, client.read(until: "hello"))
    }
    #expect(interim == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(final.hasPrefix("HTTP/1.1 200 "))
  }

  /// Lets three bytes pass, and then waits until it is opened.
  private final class Gate: NetworkPace {
    private var hasPassed = false
    private let opened: AsyncStream<Void>

    nonisolated init(_ opened: AsyncStream<Void>) { self.opened = opened }

    func receive(_ count: Int) async -> Int { await send(count) }

    func send(_ count: Int) async -> Int {
      if !hasPassed {
        hasPassed = true
        return min(3, count)
      }
      for await _ in opened { break }
      return count
    }
  }

  @Test(arguments: [true, false])
  func `a response with a pace leaves in the pieces that its pace lets pass`(isWhole: Bool) async throws {
    let opened = AsyncStream.makeStream(of: Void.self)
    let (first, rest, next) = try await withServer { exchange in
      if exchange.head.target.path == "/next" { return exchange.respond(.ok, body: Array("end".utf8)) }
      exchange.pace = Gate(opened.stream)
      let body = Array("abcdef".utf8)
      if isWhole { return exchange.respond(.ok, body: body) }
      exchange.begin(.ok, length: body.count)
      try? await exchange.write(body)
      exchange.finish()
    } _: { port in
      let client = try RawClient(port: port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let first = client.read(until: "c")
      opened.continuation.yield()
      let rest = client.read(until: "f")
      client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
      return (first, rest, client.read(until: "end"))
    }
    #expect(first.hasSuffix("\r\n\r\nabc") && first.contains("Content-Length: 6"))
    #expect(rest == "def" && next.hasPrefix("HTTP/1.1 200 OK"))
  }

  @Test func `the body of a request with a pace is read in the pieces that its pace lets pass`() async throws {
    let opened = AsyncStream.makeStream(of: Void.self)
    opened.continuation.yield()
    let answer = try await withServer { exchange in
      exchange.pace = Gate(opened.stream)
      var pieces: [String] = []
      while let piece = try? await exchange.nextBodyPiece() { pieces.append(String(decoding: piece, as: UTF8.self)) }
      exchange.pace = nil
      exchange.respond(.ok, body: Array(pieces.joined(separator: "|").utf8))
    } _: { port in
      let client = try RawClient(port: port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabcdef")
      return client.read(until: "f")
    }
    #expect(answer.hasSuffix("\r\n\r\nabc|def"))
  }

  @Test func `a body above the limit is refused and the connection closes cleanly`() async throws {
    let answer = try await withServer { exchange in
      if (try? await exchange.collectBody(limit: 10)) == nil { exchange.respond(.contentTooLarge) }
    } _: { port in
      let client = try RawClient(port: port)
      client.send(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n" + String(repeating: "a", count: 5_000_000))
      return client.read()
    }
    #expect(answer.hasPrefix("HTTP/1.1 413 "))
    #expect(answer.contains("Connection: close"))
  }

  @Test func `a client that sends no body after 100 (Continue) is answered 408`() async throws {
    var limits = HTTPServerLimits()
    limits.transferTimeout = .milliseconds(200)
    let answer = try await withServer(limits: limits) { exchange in
      _ = try? await exchange.collectBody(limit: 100)
    } _: { port in
      let client = try RawClient(port: port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
      _ = client.read(until: "\r\n\r\n")
      return client.read(until: "\r\n\r\n")
    }
    #expect(answer.hasPrefix("HTTP/1.1 408 "))
  }

  @Test func `a response without a length is sent in chunks`() async throws {
    let answer = try await withServer { exchange in
      exchange.begin(.ok)
      try? await exchange.write(Array("one".utf8))
      try? await exchange.write(Array("three".utf8))
      exchange.finish()
    } _: { port in
      let client = try RawClient(port: port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      return client.read(until: "0\r\n\r\n")
    }
    #expect(answer.contains("Transfer-Encoding: chunked\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n3\r\none\r\n5\r\nthree\r\n0\r\n\r\n"))
  }

  @Test func `a handler without a response is answered 500, and an incomplete one cuts the connection`()
    async throws
  {
    let (nothing, half) = try await withServer { exchange in
      guard exchange.head.target.path == "/half" else { return }
      exchange.begin(.ok, length: 10)
      try? await exchange.write(Array("half".utf8))
    } _: { port in
      let first = try RawClient(port: port)
      first.send("GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      let second = try RawClient(port: port)
      second.send("GET /half HTTP/1.1\r\nHost: a\r\n\r\n")
      return (first.read(), second.read())
    }
    #expect(nothing.hasPrefix("HTTP/1.1 500 "))
    #expect(half.contains("Content-Length: 10") && !half.contains("500"))
  }

  @Test func `a handler that reads gets an error when its client disconnects`() async throws {
    let gone = AsyncStream.makeStream(of: Bool.self)
    try await withServer { exchange in
      do {
        while try await exchange.nextBodyPiece() != nil {}
        gone.continuation.yield(false)
      } catch {
        gone.continuation.yield(error as? HTTPExchangeError == .connectionClosed)
      }
    } _: { port in
      let client = try RawClient(port: port)
      // The answer to the expectation tells that the handler is reading.
      client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n")
      _ = client.read(until: "\r\n\r\n")
      client.send("abc")
    }
    var events = gone.stream.makeAsyncIterator()
    #expect(await events.next() == true)
  }

  @Test func `a silent WebSocket is pinged, and closed without an answer`() async throws {
    var limits = HTTPServerLimits()
    limits.webSocketPingInterval = .seconds(1)
    limits.webSocketIdleTimeout = .seconds(2)
    let closed = AsyncStream.makeStream(of: Void.self)
    let (ping, rest) = try await withServer(limits: limits) { exchange in
      let connection = try? exchange.acceptWebSocket()
      connection?.onClose = { _ in closed.continuation.yield() }
    } _: { port in
      let client = try RawClient(port: port)
      #expect(client.openWebSocket().hasPrefix("HTTP/1.1 101 "))
      return (client.readBytes(1), client.read())
    }
    #expect(ping == [0x89])
    #expect(rest.utf8.count < 200)
    var events = closed.stream.makeAsyncIterator()
    #expect(await events.next() != nil)
  }

  @Test func `a WebSocket whose peer does not read is closed with 1008 at the queue limit`() async throws {
    var limits = HTTPServerLimits()
    limits.webSocketQueueBytes = 1 << 20
    let closed = AsyncStream.makeStream(of: Void.self)
    try await withServer(limits: limits) { exchange in
      guard let connection = try? exchange.acceptWebSocket() else { return }
      connection.onClose = { _ in closed.continuation.yield() }
      while connection.isOpen {
        [UInt8](repeating: 0, count: 100_000).withUnsafeBufferPointer { connection.sendBinary($0) }
        await Task.yield()
      }
    } _: { port in
      let client = try RawClient(port: port)
      _ = client.openWebSocket()
      let received = client.read()
      #expect(!received.isEmpty)
    }
    var events = closed.stream.makeAsyncIterator()
    #expect(await events.next() != nil)
  }

  @Test func `stopping closes WebSockets with 1001 and waits for open responses`() async throws {
    let began = AsyncStream.makeStream(of: Void.self)
    let release = AsyncStream.makeStream(of: Void.self)
    let (server, port) = try await { @BridgeActor in
      let server = try HTTPServer { exchange in
        if exchange.head.upgradeProtocols.isEmpty {
          began.continuation.yield()
          for await _ in release.stream { break }
          exchange.respond(.ok, body: Array("done".utf8))
        } else {
          _ = try? exchange.acceptWebSocket()
        }
      }
      return (server, try server.listen(host: "127.0.0.1", port: 0))
    }()
    let answers = Task.detached {
      let webSocket = try RawClient(port: port)
      _ = webSocket.openWebSocket()
      let slow = try RawClient(port: port)
      slow.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      return (webSocket.readBytes(4), slow.read())
    }
    var starts = began.stream.makeAsyncIterator()
    await starts.next()
    async let stopped: Void = server.stop(timeout: .seconds(60))
    release.continuation.yield()
    await stopped
    let (close, slow) = try await answers.value
    #expect(close.first == 0x88 && Array(close.dropFirst(2)) == [0x03, 0xE9])
    #expect(slow.hasPrefix("HTTP/1.1 200 ") && slow.hasSuffix("done"))
  }
}
