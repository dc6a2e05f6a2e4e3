import BridgeRuntime
import Testing

@testable import WebServer

@Suite(.timeLimit(.minutes(5))) @BridgeActor struct HTTP2ConnectionTests {
  /// The preface, and settings with the window of each response (RFC 9113, sections 3.4 and 6.5).
  private static func preface(window: UInt8 = 255) -> [UInt8] {
    let size: [UInt8] = window == 0 ? [0, 0] : [window, 255]
    return Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0] + size
  }

  /// The fields of a GET of `https://a/` (RFC 7541, appendix A), as the only frame of its stream.
  private static func get(_ stream: Int) -> [UInt8] {
    [0, 0, 6, 1, 5] + number(stream) + [0x82, 0x84, 0x87, 0x41, 1, UInt8(ascii: "a")]
  }

  private static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }

  private static let request = preface() + get(1)

  /// A frame that the server has sent.
  private struct Frame {
    let type: UInt8
    let flags: UInt8
    let stream: Int
    let payload: [UInt8]

    /// The error code of a reset.
    var code: UInt8? { type == 3 ? payload[3] : nil }
  }

  /// Tells handlers to return.
  @BridgeActor private final class Ending {
    var hasBegun = false
  }

  private func frames(_ stream: TimedStream) -> [Frame] {
    var frames: [Frame] = []
    var rest = stream.written[...]
    while rest.count >= 9 {
      let head = Array(rest.prefix(9))
      let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      let id = head[5...].reduce(0) { $0 << 8 | Int($1) }
      frames.append(Frame(type: head[3], flags: head[4], stream: id, payload: Array(rest.dropFirst(9).prefix(count))))
      rest = rest.dropFirst(9 + count)
    }
    return frames
  }

  /// Makes a connection on which the client has sent bytes.
  private func connection(
    limits: HTTPServerLimits = HTTPServerLimits(), sending bytes: [UInt8], _ handler: @escaping HTTPServer.Handler
  ) throws -> (stream: TimedStream, connection: HTTPConnection, server: HTTPServer) {
    let server = try HTTPServer(limits: limits, handler: handler)
    let stream = TimedStream(isHTTP2: true)
    let connection = HTTPConnection(server: server, stream: stream, isSecure: true)
    stream.receive(bytes)
    return (stream, connection, server)
  }

  /// Returns the stream of a connection whose request has been answered. Its client has read nothing of the answer yet.
  private func answered() async throws -> (stream: TimedStream, connection: HTTPConnection, server: HTTPServer) {
    let (stream, connection, server) = try connection(sending: Self.request) {
      $0.respond(.ok, body: [UInt8](repeating: 0, count: 1000))
    }
    while stream.queuedByteCount < 1000 { await Task.yield() }
    return (stream, connection, server)
  }

  @Test func `a stopping server sends a queued HTTP/2 response to its end`() async throws {
    let (stream, connection, server) = try await answered()
    connection.stop()
    stream.take(100)
    #expect(!stream.isClosed)
    stream.take()
    // The client may still send frames. If the connection closed, it would lose what it has not read.
    #expect(!stream.isClosed && stream.hasFinishedWriting)
    stream.receiveEnd()
    #expect(stream.isClosed)
    withExtendedLifetime((connection, server)) {}
  }

  @Test func `an error of the connection closes it though a request is open`() async throws {
    let (begun, ended) = (Ending(), Ending())
    let (stream, connection, server) = try connection(sending: Self.request) { exchange in
      begun.hasBegun = true
      while !exchange.isAborted { await Task.yield() }
      ended.hasBegun = true
    }
    while !begun.hasBegun { await Task.yield() }
    // Data without a stream.
    stream.receive([0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    #expect(frames(stream).contains { $0.type == 7 } && stream.hasFinishedWriting && !stream.isClosed)
    while !ended.hasBegun { await Task.yield() }
    stream.take()
    stream.receiveEnd()
    #expect(stream.isClosed)
    withExtendedLifetime((connection, server)) {}
  }

  @Test func `a response without a body ends with its head`() async throws {
    let (stream, connection, server) = try connection(sending: Self.preface(window: 0) + Self.get(1)) {
      $0.respond(.ok)
    }
    while !frames(stream).contains(where: { $0.stream == 1 }) { await Task.yield() }
    let own = frames(stream).filter { $0.stream == 1 }
    #expect(own.map(\.type) == [1] && own[0].flags & 1 == 1)
    withExtendedLifetime((connection, server)) {}
  }

  @Test func `a client has a limited time to read the end of an empty response`() async throws {
    var limits = HTTPServerLimits()
    limits.transferTimeout = .milliseconds(50)
    let (stream, connection, server) = try connection(limits: limits, sending: Self.preface(window: 0) + Self.get(1)) {
      $0.begin(.ok)
      $0.finish()
    }
    while !frames(stream).contains(where: { $0.code == 2 }) { await Task.yield() }
    withExtendedLifetime((connection, server)) {}
  }

  @Test func `a client has a limited time to read why its request is refused`() async throws {
    var limits = HTTPServerLimits()
    limits.transferTimeout = .milliseconds(50)
    limits.http.startLineBytes = 5
    let (stream, connection, server) = try connection(limits: limits, sending: Self.preface(window: 0) + Self.get(1)) {
      _ in
    }
    while !frames(stream).contains(where: { $0.code == 2 }) { await Task.yield() }
    withExtendedLifetime((connection, server)) {}
  }

  @Test func `requests that make the server reset them end the connection`() async throws {
    let (stream, connection, server) = try connection(sending: Self.preface()) { _ in }
    // The window of each response overflows. All at once: with time, the server accepts more of them.
    stream.receive(
      stride(from: 1, to: 1000, by: 2).flatMap { id in
        Self.get(id) + [0, 0, 4, 8, 0] + Self.number(id) + [0x7F, 0xFF, 0xFF, 0xFF]
      })
    while !stream.hasFinishedWriting { await Task.yield() }
    #expect(frames(stream).last { $0.type == 7 }?.payload[7] == 11)
    withExtendedLifetime((connection, server)) {}
  }

  @Test func `the handler of a request that its client has reset counts as an open request`() async throws {
    let ending = Ending()
    var count = 0
    let (stream, connection, server) = try connection(sending: Self.preface()) { _ in
      count += 1
      while !ending.hasBegun { await Task.yield() }
    }
    for id in stride(from: 1, to: 200, by: 2) {
      stream.receive(Self.get(id) + [0, 0, 4, 3, 0] + Self.number(id) + [0, 0, 0, 8])
    }
    for id in stride(from: 201, to: 221, by: 2) { stream.receive(Self.get(id)) }
    while count < 100 { await Task.yield() }
    #expect(frames(stream).filter { $0.code == 7 }.map(\.stream) == Array(stride(from: 201, to: 221, by: 2)))
    ending.hasBegun = true
    var id = 221
    // Until one of the handlers has returned, a request is refused.
    while count == 100 {
      await Task.yield()
      stream.receive(Self.get(id))
      id += 2
    }
    withExtendedLifetime((connection, server)) {}
  }

  @Test func `a client that does not read is not read`() async throws {
    let (stream, connection, server) = try connection(sending: Self.preface()) { _ in }
    for _ in 0..<40 where stream.isReading {
      // Each ping is answered.
      stream.receive((0..<500).flatMap { _ in [0, 0, 8, 6, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8) })
    }
    #expect(!stream.isReading && !stream.isClosed)
    stream.take()
    #expect(stream.isReading)
    stream.receive([0, 0, 8, 6, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8))
    withExtendedLifetime((connection, server)) {}
  }

  @Test func `a client that does not read the end of the last response is disconnected`() async throws {
    let (stream, connection, server) = try await answered()
    connection.stop()
    stream.advance(by: server.limits.transferTimeout)
    #expect(stream.isClosed)
  }
}
