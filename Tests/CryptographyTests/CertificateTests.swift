import Cryptography
import Foundation
import Testing

@Suite struct CertificateTests {
  private static let start = Date(timeIntervalSince1970: 1_800_000_000)
  private static let end = start.addingTimeInterval(86_400)

  private static func draft(_ name: String, _ purpose: CertificateDraft.Purpose) -> CertificateDraft {
    CertificateDraft(commonName: name, for: purpose, from: start, to: end)
  }

  @Test func `a certificate has the fields of its draft, also when it is read back`() throws {
    let key = P256Key()
    let names: [GeneralName] = [.dns("shop.example"), .address([127, 0, 0, 1])]
    let made = Self.draft("shop", .server(names)).selfSigned(with: key)
    let read = try Certificate(pem: Array("Something else.\n".utf8) + key.pem + made.pem)
    #expect(read == made)
    #expect(read.commonName == "shop" && read.start == Self.start && read.end == Self.end)
    #expect(read.alternativeNames == names && read.permittedNames == nil)
    #expect(read.belongs(to: key) && !read.belongs(to: P256Key()))
  }

  @Test func `isIssued is true only for the authority whose key has signed`() {
    let key = P256Key()
    let draft = Self.draft(
      "authority", .authority(permitted: [.dns("example"), .address([10, 0, 0, 0, 255, 0, 0, 0])]))
    let authority = draft.selfSigned(with: key)
    let server = Self.draft("server", .server([.dns("a.example")])).signed(for: P256Key(), by: authority, with: key)
    #expect(authority.permittedNames == [.dns("example"), .address([10, 0, 0, 0, 255, 0, 0, 0])])
    #expect(server.isIssued(by: authority) && authority.isIssued(by: authority))
    // It has the same name, and another key.
    #expect(!server.isIssued(by: draft.selfSigned(with: P256Key())))
    #expect(!server.isIssued(by: server))
  }

  @Test func `a certificate may end after 2049`() {
    let end = Date(timeIntervalSince1970: 2_600_000_000)
    let draft = CertificateDraft(commonName: "late", for: .server([.dns("late")]), from: Self.start, to: end)
    #expect(draft.selfSigned(with: P256Key()).end == end)
  }

  @Test(arguments: ["", "hello", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
  func `a text without a certificate or key is an error`(text: String) {
    #expect(throws: PEMError.noCertificate) { try Certificate(pem: Array(text.utf8)) }
    #expect(throws: PEMError.noKey) { try P256Key(pem: Array(text.utf8)) }
  }

  @Test func `a key is read back the same, and in its older form`() throws {
    let key = P256Key()
    let read = try P256Key(pem: key.pem)
    #expect(read.coordinates == key.coordinates && read.pem == key.pem)
    #expect(P256Key().coordinates != key.coordinates)
    let older = """
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIBwhhnRaPqnpFvoMuU8MwXyu6D1MH8krpdEAfciD+DCToAoGCCqGSM49
      AwEHoUQDQgAEZyKcHiKfX5B3JzdllEQY7JUmlfMen4rHiG6CckDmO1DiQVW1ee55
      mtnB48J9Plgz/8n1xYAx/JfSmyQjgDNpHA==
      -----END EC PRIVATE KEY-----
      """
    #expect(try P256Key(pem: Array(older.utf8)).coordinates.x.prefix(4) == [0x67, 0x22, 0x9C, 0x1E])
  }

  @Test func `signatures of the same text differ and have 64 bytes`() {
    let key = P256Key()
    let signatures = (0..<50).map { _ in key.signature(of: [1, 2, 3]) }
    #expect(Set(signatures).count == 50 && signatures.allSatisfy { $0.count == 64 })
  }
}
