import BridgeRuntime
import Cryptography
import Foundation
import Testing

@testable import WebServer

@Suite struct TLSEngineTests {
  private static let certificate = TestCertificate.server([.dns("localhost")])

  /// Both ends of a connection, and the bytes that each has delivered.
  private final class Ends {
    let client: TLSEngine
    let server: TLSEngine
    private(set) var atClient: [UInt8] = []
    private(set) var atServer: [UInt8] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)

    init(_ certificate: TestCertificate? = nil, name: String = "localhost", trusting authority: TestCertificate? = nil)
      throws
    {
      let certificate = certificate ?? TLSEngineTests.certificate
      let context = try TLSContext.server(certificateChain: certificate.pem, privateKey: certificate.keyPEM)
      let clientContext = try TLSContext.client()
      if let authority { #expect(clientContext.trust(authority: authority.pem)) }
      server = try TLSEngine(server: context)
      client = try TLSEngine(client: clientContext, serverName: name, acceptsAnyCertificate: authority == nil)
    }

    deinit { buffer.deallocate() }

    /// Carries what waits at one end to the other, in pieces of `size` bytes; true when there was anything.
    @discardableResult
    func carry(toServer: Bool, size: Int = .max) throws -> Bool {
      let bytes = toServer ? client.takeOutput() : server.takeOutput()
      var rest = bytes[...]
      while !rest.isEmpty {
        try give(Array(rest.prefix(size)), toServer: toServer)
        rest = rest.dropFirst(size)
      }
      return !bytes.isEmpty
    }

    /// Gives bytes to an end as if the other one had sent them.
    func give(_ bytes: [UInt8], toServer: Bool) throws {
      let engine = toServer ? server : client
      var delivered: [UInt8] = []
      defer { if toServer { atServer += delivered } else { atClient += delivered } }
      try bytes.withUnsafeBytes { bytes in
        try engine.receive(bytes, through: buffer) { delivered += $0 }
      }
    }

    /// Carries everything both ways until nothing waits.
    func settle(size: Int = .max) throws {
      while try carry(toServer: true, size: size) || carry(toServer: false, size: size) {}
    }
  }

  @Test(arguments: [1, 7, 1000, Int.max])
  func `bytes arrive as they were sent, with records cut at any size`(size: Int) throws {
    let ends = try Ends()
    try ends.settle(size: size)
    #expect(ends.client.isEstablished && ends.server.isEstablished)
    let (question, answer) = (Array("question".utf8), (0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
    try ends.client.send(question)
    try ends.server.send(answer)
    try ends.settle(size: size)
    #expect(ends.atServer == question)
    #expect(ends.atClient == answer)
  }

  @Test func `both ends agree on http/1.1`() throws {
    let ends = try Ends()
    try ends.settle()
    #expect(ends.client.applicationProtocol == "http/1.1")
    #expect(ends.server.applicationProtocol == "http/1.1")
  }

  @Test func `an end that has finished sending still receives`() throws {
    let ends = try Ends()
    try ends.settle()
    try ends.client.send([1])
    ends.client.finish()
    try ends.settle()
    #expect(ends.atServer == [1] && ends.server.peerHasFinished && !ends.client.peerHasFinished)
    try ends.server.send([2])
    ends.server.finish()
    try ends.settle()
    #expect(ends.atClient == [2] && ends.client.peerHasFinished)
  }

  @Test func `bytes after the peer's end are not delivered`() throws {
    let ends = try Ends()
    try ends.settle()
    ends.client.finish()
    try ends.settle()
    try ends.give([0x17, 3, 3, 0, 1, 0], toServer: true)
    #expect(ends.atServer == [] && ends.server.peerHasFinished)
  }

  @Test func `a changed record ends the connection with an alert`() throws {
    let ends = try Ends()
    try ends.settle()
    try ends.client.send(Array("secret".utf8))
    var record = ends.client.takeOutput()
    record[record.count - 1] ^= 1
    #expect(throws: TLSFailure.self) { try ends.give(record, toServer: true) }
    #expect(ends.atServer == [])
    #expect(!ends.server.takeOutput().isEmpty)
    // Nothing comes through any more.
    try ends.client.send([1])
    try ends.carry(toServer: true)
    #expect(ends.atServer == [])
  }

  @Test(arguments: ["GET / HTTP/1.1\r\n", "\u{0}", "\u{80}"])
  func `bytes that are not TLS are recognized at the first byte`(text: String) throws {
    #expect(throws: TLSFailure.notTLS) { try Ends().give(Array(text.utf8), toServer: true) }
    #expect(throws: TLSFailure.notTLS) { try Ends().give(Array("HTTP/1.1 400 Bad Request\r\n".utf8), toServer: false) }
  }

  @Test(arguments: 0..<100)
  func `a randomly changed handshake delivers no bytes`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let ends = try Ends()
    var hello = ends.client.takeOutput()
    for _ in 0..<Int.random(in: 1...20, using: &random) {
      hello[Int.random(in: 0..<hello.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    do {
      try ends.give(hello, toServer: true)
      try ends.settle()
    } catch is TLSFailure {
      // Refused; nothing else is to be expected of most changes.
    }
    #expect(ends.atServer == [] && ends.atClient == [])
  }

  // MARK: Certificates

  private func outcome(_ certificate: TestCertificate, name: String, trusting authority: TestCertificate) throws
    -> TLSFailure?
  {
    let ends = try Ends(certificate, name: name, trusting: authority)
    do {
      try ends.settle()
      return nil
    } catch let failure as TLSFailure {
      return failure
    }
  }

  private func reason(_ failure: TLSFailure?) -> String? {
    if case .certificateRefused(let reason)? = failure { reason } else { nil }
  }

  @Test(arguments: [
    ("localhost", true), ("LOCALHOST", true), ("localhost.", true), ("127.0.0.1", true), ("::1", true),
    ("a.wild.example", true),
    ("example.com", false), ("127.0.0.2", false), ("::2", false), ("a.b.wild.example", false), ("wild.example", false),
  ])
  func `a certificate is accepted for its own names only`(name: String, isIts: Bool) throws {
    let authority = TestCertificate.authority()
    let names: [GeneralName] = [
      .dns("localhost"), .dns("*.wild.example"), .address([127, 0, 0, 1]),
      .address([UInt8](repeating: 0, count: 15) + [1]),
    ]
    let failure = try outcome(.server(names, from: authority), name: name, trusting: authority)
    #expect((failure == nil) == isIts)
    if !isIts { #expect(reason(failure) == "its certificate is not for \(name)") }
  }

  @Test func `an untrusted or expired certificate is refused with the reason`() throws {
    let authority = TestCertificate.authority()
    let selfSigned = try outcome(.server([.dns("localhost")]), name: "localhost", trusting: authority)
    #expect(reason(selfSigned)?.contains("self-signed") == true)
    let stranger = TestCertificate.server([.dns("localhost")], from: .authority())
    // Authorities of one name: the key decides.
    #expect(try outcome(stranger, name: "localhost", trusting: authority) != nil)
    let expired = TestCertificate.server([.dns("localhost")], from: authority, validFor: -60)
    #expect(reason(try outcome(expired, name: "localhost", trusting: authority)) == "its certificate has expired")
  }

  @Test func `the server gets an alert when its certificate is refused`() throws {
    let ends = try Ends(.server([.dns("other.example")]), trusting: .authority())
    #expect(throws: TLSFailure.self) { try ends.settle() }
    #expect(throws: TLSFailure.alert("unknown CA")) { try ends.carry(toServer: true) }
  }

  @Test func `a mismatched key is reported differently from an invalid certificate or key`() throws {
    let (one, other) = (TestCertificate.server([.dns("a")]), TestCertificate.server([.dns("b")]))
    func failure(_ chain: [UInt8], _ key: [UInt8]) -> TLSIdentityError? {
      do throws(TLSIdentityError) {
        _ = try TLSContext.server(certificateChain: chain, privateKey: key)
        return nil
      } catch {
        return error
      }
    }
    #expect(failure(one.pem, one.keyPEM) == nil)
    #expect(failure(one.pem, other.keyPEM) == .keyMismatch)
    #expect(failure(one.pem + other.pem, one.keyPEM) == nil)
    for (chain, key) in [([], one.keyPEM), (one.keyPEM, one.keyPEM), (Array(one.pem.dropLast(40)), one.keyPEM)] {
      guard case .certificateInvalid? = failure(chain, key) else {
        Issue.record("taken for a certificate")
        continue
      }
    }
    for key in [[], one.pem, Array("nothing".utf8)] {
      guard case .keyInvalid? = failure(one.pem, key) else {
        Issue.record("taken for a key")
        continue
      }
    }
  }
}
