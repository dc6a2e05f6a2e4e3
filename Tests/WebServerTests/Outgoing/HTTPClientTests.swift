import BridgeRuntime
import Foundation
import HTTP1
import HTTPTypes
import Testing

@testable import WebServer

@Suite @BridgeActor struct HTTPClientTests {
  private func origin(_ server: ScriptedServer) throws -> HTTPOrigin {
    HTTPOrigin(isSecure: false, authority: try #require(Authority("127.0.0.1:\(server.port)")))
  }

  private func head(_ method: HTTPRequest.Method = .get, _ path: String = "/", _ fields: HTTPFields = [:]) throws
    -> RequestHead
  {
    var fields = fields
    fields[.hostField] = "upstream"
    return try RequestHead(method: method, target: .origin(path: path, query: nil), fields: fields)
  }

  private func text(_ exchange: HTTPClientExchange) async throws -> String {
    var bytes: [UInt8] = []
    while let piece = try await exchange.nextBodyPiece() { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bodies of the answers to one request after another.
  private func answers(to methods: [HTTPRequest.Method], from server: ScriptedServer) async throws -> [String] {
    let client = try HTTPClient()
    defer { client.stop() }
    var answers: [String] = []
    for method in methods {
      let exchange = client.send(try head(method), to: try origin(server))
      _ = try await exchange.nextHead()
      answers.append(try await text(exchange))
    }
    return answers
  }

  @Test func `a connection is reused for the next request`() async throws {
    let server = ScriptedServer { connection, number in
      while !connection.readHead().isEmpty {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
      }
    }
    let client = try HTTPClient()
    for _ in 0..<3 {
      let exchange = client.send(try head(), to: try origin(server))
      #expect(try await exchange.nextHead().status == .ok)
      #expect(try await text(exchange) == "0")
    }
    client.stop()
  }

  @Test func `a request on a connection that was closed is sent again on a new one`() async throws {
    let server = ScriptedServer { connection, number in
      // The first connection answers one request, takes the next and closes without a word.
      for _ in 0..<(number == 0 ? 1 : 2) {
        guard !connection.readHead().isEmpty else { return }
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
      }
      _ = connection.readHead()
    }
    #expect(try await answers(to: [.get, .get], from: server) == ["0", "1"])
  }

  @Test func `a request that must not be repeated gets a new connection`() async throws {
    let server = ScriptedServer { connection, number in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
    }
    #expect(try await answers(to: [.get, .post], from: server) == ["0", "1"])
  }

  @Test func `a body is sent in chunks with its trailers`() async throws {
    let server = ScriptedServer { connection, _ in
      _ = connection.readHead()
      let body = "3\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 5\r\n\r\n"
      let received = String(decoding: connection.readBytes(body.utf8.count), as: UTF8.self)
      connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\(received == body)")
    }
    let client = try HTTPClient()
    let exchange = client.send(try head(.post, "/", [.transferEncoding: "chunked"]), to: try origin(server))
    try await exchange.write(Array("abc".utf8))
    try await exchange.write(Array("de".utf8))
    let name = try #require(HTTPField.Name("X-Sum"))
    try await exchange.finishBody(trailers: [name: "5"])
    _ = try await exchange.nextHead()
    #expect(try await text(exchange) == "true")
    client.stop()
  }

  @Test func `informational heads are returned before the final one, and trailers after the body`() async throws {
    let server = ScriptedServer { connection, _ in
      _ = connection.readHead()
      connection.send(
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      connection.send("2\r\nok\r\n0\r\nX-Late: yes\r\n\r\n")
      _ = connection.readHead()
    }
    let client = try HTTPClient()
    let exchange = client.send(try head(), to: try origin(server))
    #expect(try await exchange.nextHead().status.code == 103)
    #expect(try await exchange.nextHead().status == .ok)
    #expect(try await text(exchange) == "ok")
    #expect(exchange.trailers.map(\.name.rawName) == ["X-Late"])
    client.stop()
  }

  @Test func `a response during the request's body is read, and the rest of the body is not sent`()
    async throws
  {
    let server = ScriptedServer { connection, _ in
      _ = connection.readHead()
      connection.send("HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 3\r\n\r\nbig")
    }
    let client = try HTTPClient()
    let exchange = client.send(try head(.post, "/", [.contentLength: "1000000000"]), to: try origin(server))
    let upload = Task { @BridgeActor in
      while true { try await exchange.write([UInt8](repeating: 0, count: 100_000)) }
    }
    #expect(try await exchange.nextHead().status.code == 413)
    #expect(try await text(exchange) == "big")
    await #expect(throws: HTTPClientError.self) { try await upload.value }
    client.stop()
  }

  @Test func `a slow reader of a response stops the server from sending`() async throws {
    let size = 64 << 20
    let server = ScriptedServer { connection, _ in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
      let piece = [UInt8](repeating: 0x61, count: 1 << 20)
      for _ in 0..<(size >> 20) { connection.send(piece) }
    }
    let client = try HTTPClient()
    let exchange = client.send(try head(), to: try origin(server))
    _ = try await exchange.nextHead()
    var count = 0
    while let piece = try await exchange.nextBodyPiece() {
      count += piece.count
      #expect(exchange.bufferedByteCount <= 512 << 10)
    }
    #expect(count == size)
    client.stop()
  }

  @Test func `a request fails at its response timeout`() async throws {
    let server = ScriptedServer { connection, _ in
      _ = connection.readHead()
      _ = connection.readHead()
    }
    var limits = HTTPClientLimits()
    let timeout = Duration.milliseconds(50)
    limits.responseTimeout = timeout
    let client = try HTTPClient(limits: limits)
    let exchange = client.send(try head(), to: try origin(server))
    await #expect(throws: HTTPClientError.timedOut(origin: try origin(server), timeout)) {
      try await exchange.nextHead()
    }
    client.stop()
  }

  @Test func `a refused connection is an error that names the origin`() async throws {
    let server = ScriptedServer { _, _ in }
    server.stop()
    let client = try HTTPClient()
    let origin = try origin(server)
    let exchange = client.send(try head(), to: origin)
    await #expect(throws: HTTPClientError.cannotConnect(origin: origin, reason: "connection refused")) {
      try await exchange.nextHead()
    }
    client.stop()
  }

  @Test func `cancelling a request ends every wait and closes the connection`() async throws {
    let (closed, wasClosed) = AsyncStream.makeStream(of: Void.self)
    let server = ScriptedServer { connection, _ in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      _ = connection.readHead()
      wasClosed.finish()
    }
    let client = try HTTPClient()
    let exchange = client.send(try head(), to: try origin(server))
    _ = try await exchange.nextHead()
    let reader = Task { @BridgeActor in try await exchange.nextBodyPiece() }
    exchange.cancel()
    await #expect(throws: HTTPClientError.cancelled) { try await reader.value }
    for await _ in closed {}
    client.stop()
  }
}
