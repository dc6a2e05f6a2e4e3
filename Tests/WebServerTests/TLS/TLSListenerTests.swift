import BridgeRuntime
import Foundation
import Testing

@testable import WebServer

@Suite struct TLSListenerTests {
  /// A client's end of a connection over a blocking socket, off the actor.
  private final class Client {
    private let socket: RawClient
    private let engine: TLSEngine
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)

    /// Connects, and trusts nobody but this certificate. Throws ``TLSFailure`` when the server has another.
    init(port: Int, trusting certificate: TestCertificate) throws {
      let context = try TLSContext.client()
      #expect(context.trust(authority: certificate.pem))
      socket = try RawClient(port: port)
      engine = try TLSEngine(client: context, serverName: "localhost", acceptsAnyCertificate: false)
      while !engine.isEstablished { _ = try receive() }
    }

    deinit { buffer.deallocate() }

    /// What the server answers to a request.
    func get() throws -> String {
      try engine.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      var answer = ""
      while !answer.hasSuffix("done") { answer += String(decoding: try receive(), as: UTF8.self) }
      return answer
    }

    /// Sends what waits, and takes one more byte.
    private func receive() throws -> [UInt8] {
      socket.send(engine.takeOutput())
      let bytes = socket.readBytes(1)
      try #require(!bytes.isEmpty)
      var plain: [UInt8] = []
      try bytes.withUnsafeBytes { try engine.receive($0, through: buffer) { plain += $0 } }
      socket.send(engine.takeOutput())
      return plain
    }
  }

  /// What a listener's new connections are made with.
  @BridgeActor private final class Identity {
    var context: TLSContext

    init(_ certificate: TestCertificate) throws {
      context = try TLSContext.server(certificateChain: certificate.pem, privateKey: certificate.keyPEM)
    }
  }

  @Test func `new connections get the current certificate, and open ones continue with theirs`()
    async throws
  {
    let certificates = (0..<2).map { _ in TestCertificate.server([.dns("localhost")]) }
    let identity = try await Identity(certificates[0])
    let (server, port) = try await { @BridgeActor in
      let server = try HTTPServer { $0.respond(.ok, body: Array("done".utf8)) }
      return (server, try server.listen(host: "127.0.0.1", port: 0) { identity.context })
    }()
    let next = try await Identity(certificates[1])
    let result = await withCheckedContinuation { continuation in
      Thread {
        continuation.resume(
          returning: Result {
            let client = try Client(port: port, trusting: certificates[0])
            let replaced = DispatchSemaphore(value: 0)
            Task { @BridgeActor in
              identity.context = next.context
              replaced.signal()
            }
            replaced.wait()
            #expect(try client.get().hasPrefix("HTTP/1.1 200"))
            #expect(try Client(port: port, trusting: certificates[1]).get().hasPrefix("HTTP/1.1 200"))
            #expect(throws: TLSFailure.self) { _ = try Client(port: port, trusting: certificates[0]) }
          })
      }.start()
    }
    await server.stop()
    try result.get()
  }
}
