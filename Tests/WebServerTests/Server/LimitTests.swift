import BridgeRuntime
import Foundation
import HTTP1
import HTTPTypes
import Testing

@testable import WebServer

/// What a server does at each of its limits.
@Suite struct LimitTests {
  /// A server that echoes WebSocket messages and answers everything else; returns what `body` returns and the limits that were hit.
  private func withServer<Result: Sendable>(
    _ change: (inout HTTPServerLimits) -> Void,
    _ body: @escaping @Sendable (Int) throws -> Result
  ) async throws -> (Result, [HTTPServerLimit]) {
    var limits = HTTPServerLimits()
    change(&limits)
    let (server, port, hits) = try await { @BridgeActor [limits] in
      let server = try HTTPServer(limits: limits) { exchange in
        if let connection = try? exchange.acceptWebSocket() {
          connection.onMessage = { [weak connection] in connection?.sendBinary($0.bytes) }
        } else if exchange.head.target.path == "/wait" {
          _ = try? await exchange.collectBody(limit: 1 << 20)
        } else {
          exchange.respond(.ok, body: Array("here".utf8))
        }
      }
      let hits = LimitHits()
      server.onLimit = { hits.all.append($0) }
      return (server, try server.listen(host: "127.0.0.1", port: 0), hits)
    }()
    let result = await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: Swift.Result { try body(port) }) }.start()
    }
    let all = await hits.all
    await server.stop()
    return (try result.get(), all)
  }

  private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `an idle connection is closed for a new one at the limit`() async throws {
    let (answers, hits) = try await withServer {
      $0.connections = 2
    } _: { port in
      let first = try RawClient(port: port)
      first.send(Self.get)
      _ = first.read(until: "here")
      let second = try RawClient(port: port)
      second.send(Self.get)
      _ = second.read(until: "here")
      let new = try RawClient(port: port)
      new.send(Self.get)
      return new.read(until: "here")
    }
    #expect(answers.hasPrefix("HTTP/1.1 200 "))
    #expect(hits == [.connections])
  }

  @Test func `a new connection is answered 503 and closed if none is idle at the limit`() async throws {
    let (answer, hits) = try await withServer {
      $0.connections = 2
    } _: { port in
      let first = try RawClient(port: port)
      _ = first.openWebSocket()
      let second = try RawClient(port: port)
      _ = second.openWebSocket()
      let new = try RawClient(port: port)
      new.send(Self.get)
      let answer = new.read()
      first.send([0x82, 0x81, 0, 0, 0, 0, 7])
      #expect(first.readBytes(3) == [0x82, 1, 7])
      return answer
    }
    #expect(answer.hasPrefix("HTTP/1.1 503 "))
    #expect(answer.contains("Connection: close\r\n"))
    #expect(hits == [.connections])
  }

  @Test func `a head that does not arrive within its timeout is answered 408`() async throws {
    let (answer, hits) = try await withServer {
      $0.headTimeout = .seconds(1)
    } _: { port in
      let client = try RawClient(port: port)
      client.send("GET / HTTP/1.1\r\nHost")
      return client.read()
    }
    #expect(answer.hasPrefix("HTTP/1.1 408 "))
    #expect(hits == [.slowHead])
  }

  @Test func `a body that does not arrive within its timeout is answered 408`() async throws {
    let (answer, hits) = try await withServer {
      $0.transferTimeout = .milliseconds(50)
    } _: { port in
      let client = try RawClient(port: port)
      client.send("POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabc")
      return client.read()
    }
    #expect(answer.hasPrefix("HTTP/1.1 408 "))
    #expect(answer.contains("Connection: close\r\n"))
    #expect(hits == [.slowTransfer])
  }

  @Test func `a target or head above its limit is refused`() async throws {
    let (answers, hits) = try await withServer {
      $0.http.startLineBytes = 100
      $0.http.headBytes = 500
    } _: { port in
      try [
        "GET /\(String(repeating: "a", count: 100)) HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nB: \(String(repeating: "c", count: 500))\r\n\r\n",
      ]
      .map { request in
        let client = try RawClient(port: port)
        client.send(request)
        return String(client.read().prefix(12))
      }
    }
    #expect(answers == ["HTTP/1.1 414", "HTTP/1.1 431"])
    #expect(hits == [.requestBytes, .requestBytes])
  }

  @Test func `a connection above the message rate is read more slowly and loses no message`() async throws {
    let count = 50
    let (answer, hits) = try await withServer {
      $0.webSocketMessagesPerSecond = 20
    } _: { port in
      let client = try RawClient(port: port)
      _ = client.openWebSocket()
      var frames: [UInt8] = []
      for number in 0..<count { frames += [0x82, 0x82, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 0xFF)] }
      client.send(frames)
      return client.readBytes(count * 4)
    }
    var expected: [UInt8] = []
    for number in 0..<count { expected += [0x82, 2, UInt8(number >> 8), UInt8(number & 0xFF)] }
    #expect(answer == expected)
    // Twice, unless the machine itself takes a second for twenty messages.
    #expect(Set(hits) == [.messageRate] && hits.count <= 2)
  }

  @Test func `a connection above the message rate does not slow down others`() async throws {
    let (_, hits) = try await withServer {
      $0.webSocketMessagesPerSecond = 10
    } _: { port in
      let flooding = try RawClient(port: port)
      let other = try RawClient(port: port)
      _ = flooding.openWebSocket()
      _ = other.openWebSocket()
      flooding.send(Array([[UInt8]](repeating: [0x82, 0x80, 0, 0, 0, 0], count: 1000).joined()))
      #expect(flooding.readBytes(20).count == 20)
      other.send([0x82, 0x81, 0, 0, 0, 0, 7])
      #expect(other.readBytes(3) == [0x82, 1, 7])
    }
    // Once a second for as long as this takes.
    #expect(hits.first == .messageRate)
    #expect(hits.allSatisfy { $0 == .messageRate })
  }

  @Test func `above the limit of all connections the WebSocket with the most bytes is closed with 1008`() async throws {
    let (close, hits) = try await withServer {
      $0.totalBytes = 100_000
    } _: { port in
      let small = try RawClient(port: port)
      let large = try RawClient(port: port)
      _ = small.openWebSocket()
      _ = large.openWebSocket()
      // Unfinished messages; the ping says when the server has what came before it.
      small.send([0x02, 0xFE, 0x27, 0x10, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 10_000))
      large.send([0x02, 0xFF, 0, 0, 0, 0, 0, 1, 0x86, 0xA0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 100_000))
      let close = large.readBytes(4)
      small.send([0x80, 0x81, 0, 0, 0, 0, 7])
      #expect(small.readBytes(4) == [0x82, 126, 0x27, 0x11])
      return close
    }
    #expect(close.first == 0x88)
    #expect(close.suffix(2) == [0x03, 0xF0])
    #expect(hits == [.totalBytes])
  }

  @Test func `a WebSocket whose peer does not answer a ping is closed with 1008 and reported`() async throws {
    let (frames, hits) = try await withServer {
      $0.webSocketPingInterval = .seconds(1)
      $0.webSocketIdleTimeout = .seconds(2)
    } _: { port in
      let client = try RawClient(port: port)
      _ = client.openWebSocket()
      var frames: [[UInt8]] = []
      repeat { frames.append(client.readBytes(3)) } while frames.last == OutgoingFrames.ping
      return frames + [client.readBytes(1)]
    }
    #expect(frames.first == OutgoingFrames.ping)
    // A close frame with 1008.
    let end = Array(frames.suffix(2).joined())
    #expect(end.first == 0x88 && end.dropFirst(2) == [0x03, 0xF0])
    #expect(hits == [.silence])
  }

  @Test func `a WebSocket whose peer answers pings stays open`() async throws {
    let pings = 12
    let (frames, hits) = try await withServer {
      $0.webSocketPingInterval = .seconds(1)
      $0.webSocketIdleTimeout = .seconds(10)
    } _: { port in
      let client = try RawClient(port: port)
      _ = client.openWebSocket()
      return (0..<pings).map { _ in
        let ping = client.readBytes(3)
        // A masked pong with the payload of the ping.
        client.send([0x8A, 0x81, 1, 2, 3, 4] + ping.suffix(1).map { $0 ^ 1 })
        return ping
      }
    }
    #expect(frames == Array(repeating: OutgoingFrames.ping, count: pings))
    #expect(hits == [])
  }

  @Test func `a message above its limit closes the connection with 1009`() async throws {
    let (close, hits) = try await withServer {
      $0.webSocketMessageBytes = 1000
    } _: { port in
      let client = try RawClient(port: port)
      _ = client.openWebSocket()
      client.send([0x82, 0xFE, 0x03, 0xE9, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 1001))
      return client.readBytes(4)
    }
    #expect(close.first == 0x88)
    #expect(close.suffix(2) == [0x03, 0xF1])
    #expect(hits == [.messageBytes])
  }
}

@BridgeActor private final class LimitHits {
  var all: [HTTPServerLimit] = []
}
