import BridgeRuntime
import Testing

@testable import WebServer

@Suite @BridgeActor struct HTTP2ConnectionTests {
  /// The preface, empty settings, and a GET of `https://a/` on stream 1 (RFC 9113, sections 3.4 and 6; RFC 7541, appendix A).
  private static let request =
    Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
    + [0, 0, 6, 1, 5, 0, 0, 0, 1, 0x82, 0x84, 0x87, 0x41, 1, UInt8(ascii: "a")]

  /// Returns the stream of a connection whose request has been answered. Its client has read nothing of the answer yet.
  private func answered() async throws -> (stream: TimedStream, connection: HTTPConnection, server: HTTPServer) {
    let server = try HTTPServer { $0.respond(.ok, body: [UInt8](repeating: 0, count: 1000)) }
    let stream = TimedStream(isHTTP2: true)
    let connection = HTTPConnection(server: server, stream: stream, isSecure: true)
    stream.receive(Self.request)
    while stream.queuedByteCount < 1000 { await Task.yield() }
    return (stream, connection, server)
  }

  @Test func `a stopping server sends a queued HTTP/2 response to its end`() async throws {
    let (stream, connection, server) = try await answered()
    connection.stop()
    stream.take(100)
    #expect(!stream.isClosed)
    stream.take()
    #expect(stream.isClosed)
    withExtendedLifetime(server) {}
  }

  @Test func `a client that does not read the end of the last response is disconnected`() async throws {
    let (stream, connection, server) = try await answered()
    connection.stop()
    stream.advance(by: server.limits.transferTimeout)
    #expect(stream.isClosed)
  }
}
