import Cryptography
import Foundation
import HTTP1
import Testing

@testable import Footbridge
@testable import Sessions
@testable import SiteServer

@Suite struct LocalAuthorityTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let names = ["localhost", "127.0.0.1", "::1", "shop.example"].map { CertificateName($0) }

  /// A folder that is deleted after its test.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/footbridge-tls-" + UUID().uuidString

    deinit {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private let folder = Folder()

  private func state() throws -> StateDirectory {
    try StateDirectory(path: folder.path)
  }

  @Test func `an authority is created once and constrained to server certificates`() throws {
    let state = try state()
    let first = try LocalAuthority(for: names, state: state, now: now)
    #expect(try LocalAuthority(for: names, state: state, now: now).certificate == first.certificate)
    let text = OpenSSLJudge.text(of: first.certificate.pem)
    #expect(text.contains("X509v3 Basic Constraints: critical\n                CA:TRUE, pathlen:0\n"))
    #expect(text.contains("X509v3 Key Usage: critical\n                Certificate Sign, CRL Sign\n"))
    #expect(text.contains("X509v3 Name Constraints: critical\n                Permitted:\n"))
    #expect(try LocalAuthority(for: names, state: nil, now: now).name != first.name)
  }

  @Test func `an issued certificate is for a server of these names, with a lifetime that browsers accept`() throws {
    let authority = try LocalAuthority(for: names, state: nil, now: now)
    let certificate = authority.issue(for: names).certificate
    #expect(certificate.alternativeNames == names.map(\.generalName))
    let text = OpenSSLJudge.text(of: certificate.pem)
    #expect(text.contains("X509v3 Basic Constraints: critical\n                CA:FALSE\n"))
    #expect(text.contains("X509v3 Key Usage: critical\n                Digital Signature\n"))
    #expect(text.contains("X509v3 Extended Key Usage: \n                TLS Web Server Authentication\n"))
    #expect(text.contains("X509v3 Authority Key Identifier: "))
    #expect(certificate.end.timeIntervalSince(certificate.start) < 398 * 86_400)
    #expect(certificate.start < now)
    #expect(authority.vouches(for: certificate, names: names))
  }

  @Test func `a certificate is replaced if it lacks a name, ends soon or has another authority`() throws {
    let authority = try LocalAuthority(for: names, state: nil, now: now)
    let certificate = authority.issue(for: names).certificate
    #expect(authority.vouches(for: certificate, names: Array(names.dropLast())))
    #expect(!authority.vouches(for: certificate, names: names + [CertificateName("more.example")]))
    #expect(!(try LocalAuthority(for: names, state: nil, now: now).vouches(for: certificate, names: names)))
    let state = try state()
    let early = try LocalAuthority(for: names, state: state, now: now).issue(for: names).certificate
    func isReused(afterDays days: Double) throws -> Bool {
      try LocalAuthority(for: names, state: state, now: now.addingTimeInterval(days * 86_400)).vouches(
        for: early, names: names)
    }
    #expect(try isReused(afterDays: 366))
    #expect(!(try isReused(afterDays: 368)))
  }

  @Test func `an authority that ends soon is replaced`() throws {
    let state = try state()
    let first = try LocalAuthority(for: names, state: state, now: now).certificate
    let later = now.addingTimeInterval(3630 * 86_400)
    let second = try LocalAuthority(for: names, state: state, now: later).certificate
    #expect(second != first && second.end > later.addingTimeInterval(3600 * 86_400))
    let served = try #require(try state.read(LocalAuthority.certificateFileName))
    #expect(try Certificate(pem: Array(served)) == second)
  }

  @Test func `an authority is constrained to this machine and the server's names`() throws {
    let wider = try LocalAuthority(for: names + [CertificateName("10.0.0.7")], state: nil, now: now)
    #expect(wider.permittedNames == ["localhost", "shop.example", "::1", "10.0.0.7", "127.0.0.0/8"])
    let permitted = AuthorityNames(names)
    for text in ["localhost", "a.localhost", "127.3.2.1", "::1", "shop.example", "www.shop.example"] {
      #expect(permitted.covers(CertificateName(text)), "\(text)")
    }
    for text in ["example", "xshop.example", "shop.example.evil", "10.0.0.7", "128.0.0.1", "::2", "::ffff:127.0.0.1"] {
      #expect(!permitted.covers(CertificateName(text)), "\(text)")
    }
    #expect(permitted.texts == ["localhost", "shop.example", "::1", "127.0.0.0/8"])
  }

  @Test func `an authority that lacks a name is replaced by one for all names so far`() throws {
    let state = try state()
    let first = try LocalAuthority(for: names, state: state, now: now)
    let same = try LocalAuthority(for: [CertificateName("localhost")], state: state, now: now)
    #expect(same.certificate == first.certificate && same.replacedName == nil)
    let wider = try LocalAuthority(for: [CertificateName("more.example")], state: state, now: now)
    #expect(wider.certificate != first.certificate && wider.replacedName == first.name)
    #expect(wider.permittedNames == ["localhost", "more.example", "shop.example", "::1", "127.0.0.0/8"])
    let again = try LocalAuthority(for: names, state: state, now: now)
    #expect(again.certificate == wider.certificate && again.replacedName == nil)
  }

  @Test func `the authority and the certificate of an earlier version are read and used again`() throws {
    let state = try state()
    try state.write(Data(FormerFiles.authority.utf8), to: LocalAuthority.fileName)
    try state.write(Data(FormerFiles.certificate.utf8), to: LocalCertificate.fileName)
    let now = Date(timeIntervalSince1970: 1_795_420_000)
    let names = ["localhost", "127.0.0.1", "::1"].map { CertificateName($0) }
    let certificate = try LocalCertificate(for: names, in: state, now: now)
    #expect(certificate.authority.name == "Footbridge local authority 1bd6519a")
    #expect(certificate.authority.replacedName == nil)
    #expect(certificate.authority.permittedNames == ["localhost", "::1", "127.0.0.0/8"])
    #expect(certificate.authority.certificate.publicKeyHash == "ZOuSplQZLQELUGx89xIyrDsE5j0Lj2KJmo6ZwWR4in4=")
    #expect(certificate.end == Date(timeIntervalSince1970: 1_829_720_804))
    #expect(try state.read(LocalCertificate.fileName) == Data(FormerFiles.certificate.utf8))
    #expect(try state.read(LocalAuthority.fileName) == Data(FormerFiles.authority.utf8))
    let end = try #require(FormerFiles.authority.range(of: "-----END PRIVATE KEY-----\n")).upperBound
    #expect(try state.read(LocalAuthority.certificateFileName) == Data(FormerFiles.authority[end...].utf8))
    _ = try certificate.context()
    #expect(certificate.authority.vouches(for: certificate.authority.issue(for: names).certificate, names: names))
  }

  @Test func `an authority file whose key belongs to another certificate is an error`() throws {
    let state = try state()
    let key = FormerFiles.signingKey + "\n"
    let end = try #require(FormerFiles.authority.range(of: "-----END PRIVATE KEY-----\n")).upperBound
    try state.write(Data((key + FormerFiles.authority[end...]).utf8), to: LocalAuthority.fileName)
    #expect(throws: StateError.self) { try LocalAuthority(for: names, state: state, now: now) }
  }

  @Test func `names become DNS names, and addresses become IP addresses`() {
    #expect(CertificateName("Shop.Example").generalName == .dns("shop.example"))
    #expect(CertificateName("10.0.0.1").generalName == .address([10, 0, 0, 1]))
    #expect(CertificateName("[::1]").generalName == .address([UInt8](repeating: 0, count: 15) + [1]))
    #expect(CertificateName("1.2.3").generalName == .dns("1.2.3"))
  }

  @Test func `a certificate's names are loopback, the server's address and the site's`() {
    var options = SiteOptions()
    options.access.host = "192.168.1.5"
    let names = ServerCertificate.names(options, siteOrigin: HTTPOrigin("https://Today.example:8443")).map(\.text)
    #expect(names == ["localhost", "127.0.0.1", "::1", "today.example", "192.168.1.5"])
    options.access.host = "0.0.0.0"
    #expect(ServerCertificate.names(options, siteOrigin: nil).map(\.text) == ["localhost", "127.0.0.1", "::1"])
  }
}
