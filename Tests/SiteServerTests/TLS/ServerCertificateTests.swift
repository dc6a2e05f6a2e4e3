import BridgeRuntime
import Foundation
import Logging
import Testing

@testable import Footbridge
@testable import Sessions
@testable import SiteServer

@Suite @BridgeActor struct ServerCertificateTests {
  private let clock = ManualBridgeClock()
  private let lines = RecordedLines()

  private var logger: Logger { Logger(label: "test") { [lines] _ in lines } }

  private func make(in state: StateDirectory? = nil) throws -> ServerCertificate {
    var options = TLSOptions()
    options.tlsPort = 0
    let names = ServerCertificate.names(SiteOptions(), siteOrigin: nil)
    return try #require(try ServerCertificate(options, names: names, state, logger, clock: clock))
  }

  private func advance(days: Double) {
    clock.advance(by: .seconds(days * 86_400))
  }

  @Test func `a certificate that does not end soon is used again`() async throws {
    let certificate = try make()
    let context = certificate.contextForConnection()
    advance(days: 366)
    #expect(certificate.contextForConnection() === context)
    #expect(certificate.renewal == nil)
  }

  @Test func `a certificate that ends soon is renewed in the background for new connections`()
    async throws
  {
    let certificate = try make()
    let (context, end) = (certificate.contextForConnection(), certificate.local?.end)
    let authority = certificate.local?.authority.certificate
    advance(days: 368)
    #expect(certificate.contextForConnection() === context)
    await certificate.renewal?.value
    let renewed = certificate.contextForConnection()
    #expect(renewed !== context)
    #expect(certificate.local?.end == end?.addingTimeInterval(368 * 86_400))
    #expect(certificate.local?.authority.certificate == authority)
    #expect(lines.lines.contains { $0.contains("A new one has replaced it") })
    advance(days: 360)
    #expect(certificate.contextForConnection() === renewed)
  }

  @Test func `a connection after the certificate's end gets a new one at once`() async throws {
    let certificate = try make()
    let context = certificate.contextForConnection()
    advance(days: 400)
    #expect(certificate.contextForConnection() !== context)
    #expect(try #require(certificate.local?.end) > Date(timeIntervalSince1970: clock.now.millisecondsSinceEpoch / 1000))
  }

  @Test func `an authority that ends soon is replaced with the certificate, and logged`() async throws {
    let certificate = try make()
    let authority = certificate.local?.authority.certificate
    advance(days: 3630)
    _ = certificate.contextForConnection()
    #expect(certificate.local?.authority.certificate != authority)
    #expect(lines.lines.contains { $0.contains("footbridge trust") && $0.contains("new one") })
  }

  @Test func `a renewed certificate is stored, and a failed write is tried again an hour later`()
    async throws
  {
    let path = FileManager.default.temporaryDirectory.path + "/footbridge-tls-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    let state = try StateDirectory(path: path)
    let certificate = try make(in: state)
    let (context, first) = (certificate.contextForConnection(), try state.read(LocalCertificate.fileName))
    advance(days: 368)
    try FileManager.default.removeItem(atPath: path)
    _ = certificate.contextForConnection()
    await certificate.renewal?.value
    #expect(certificate.contextForConnection() === context)
    #expect(lines.lines.contains { $0.contains("cannot create a new one") })
    _ = try StateDirectory(path: path)
    clock.advance(by: .seconds(3600))
    _ = certificate.contextForConnection()
    await certificate.renewal?.value
    #expect(certificate.contextForConnection() !== context)
    let second = try state.read(LocalCertificate.fileName)
    #expect(second != nil && second != first)
  }
}
