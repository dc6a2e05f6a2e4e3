import Testing

@testable import Footbridge
@testable import OnsideServer
@testable import Sessions

@Suite struct MerchantCredentialsTests {
  private func credentials(_ yaml: String) throws -> MerchantCredentials {
    let file = try OptionFile(path: "footbridge.yaml", text: "onside:\n  merchant: \(yaml)\n")
    return try OptionSources(flags: [:], environment: [:], file: file).options().merchant
  }

  @Test func `merchant credentials are read, with development values for what is left out`() throws {
    let all = try credentials("{ id: acme, secret: 0123456789-0123456789-0123456789, keyId: 7, clockSkew: 0 }")
    #expect(all.id == "acme")
    #expect(all.secret == "0123456789-0123456789-0123456789")
    #expect(all.keyID == "7")
    #expect(all.clockSkew == 0)
    let none = try credentials("{}")
    #expect(none.id == MerchantCredentials.developmentID)
    #expect(none.secret == MerchantCredentials.developmentSecret)
    #expect(none.keyID == MerchantCredentials.developmentKeyID)
    #expect(none.clockSkew == 5)
  }

  @Test(arguments: [
    ("acme", "mapping"), ("[id]", "mapping"), ("{ key: 1 }", "unknown key"), ("{ id: [a] }", "merchant.id"),
    ("{ id: '' }", "id must"), ("{ keyId: '' }", "keyId must"), ("{ secret: sesame }", "32 bytes"),
    ("{ secret: '' }", "32 bytes"), ("{ secret: }", "must be a text"),
    ("{ clockSkew: soon }", "clockSkew"), ("{ clockSkew: 61 }", "0 to 60"),
    ("{ clockSkew: -1 }", "0 to 60"), ("{ clockSkew: 99999999999999999999 }", "clockSkew"),
  ])
  func `the error about unusable credentials names file and key, but not the secret`(yaml: String, part: String) {
    let error = #expect(throws: OptionError.self) { try credentials(yaml) }
    let description = error?.description ?? ""
    #expect(description.contains("onside.merchant"))
    #expect(description.contains("in footbridge.yaml"))
    #expect(description.contains(part))
    #expect(!description.contains("sesame"))
  }

  @Test func `descriptions of the credentials and the options hide the secret`() {
    let options = FootbridgeOptions()
    #expect(!"\(options.merchant)".contains(MerchantCredentials.developmentSecret))
    #expect(!"\(options)".contains(MerchantCredentials.developmentSecret))
    #expect(!String(reflecting: options).contains(MerchantCredentials.developmentSecret))
  }
}
