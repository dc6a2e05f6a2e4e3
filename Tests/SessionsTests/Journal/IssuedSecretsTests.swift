import BridgeCore
import BridgeRuntime
import Testing

@testable import Sessions

@BridgeActor
@Suite struct IssuedSecretsTests {
  private let secret = "abc/def+ghi=jkl"

  @Test(arguments: [
    ("abc/def+ghi=jkl", "‹secret›"), ("a abc/def+ghi=jkl, abc/def+ghi=jkl.", "a ‹secret›, ‹secret›."),
    ("abc/def+ghi=jk", "abc/def+ghi=jk"), ("aabc/def+ghi=jkll", "a‹secret›l"), ("?t=abc%2Fdef%2bghi%3Djkl", "‹secret›"),
    ("abc%252Fdef%252Bghi%253Djkl", "‹secret›"), ("{\"t\":\"abc\\/def+ghi=jkl\"}", "‹secret›"),
    ("\\u0061bc/def+ghi=jkl", "‹secret›"), ("100%", "100%"), ("\\", "\\"), ("%zz%2", "%zz%2"), ("", ""),
    ("abc/def+ghi=jkl und abc%2Fdef%2Bghi%3Djkl", "‹secret›"),
  ])
  func `a secret is left out in every encoding`(text: String, told: String) {
    #expect(SecretPatterns([secret, "another one"]).leavingOut(of: text) == told)
  }

  @Test func `a secret that is a prefix of another one does not leave the rest visible`() {
    #expect(
      SecretPatterns(["12345678", "12345678-90"]).leavingOut(of: "x12345678-90 12345678-9") == "x‹secret› ‹secret›-9")
  }

  @Test func `secrets in names and values at every depth are left out`() {
    let value: JSONValue = ["a": [1, ["12345678": "x 12345678"], .null], "b": true]
    let told: JSONValue = ["a": [1, ["‹secret›": "x ‹secret›"], .null], "b": true]
    #expect(SecretPatterns(["12345678"]).leavingOut(of: value) == told)
  }

  @Test func `the server's secrets are left out in each session, and short words in none`() throws {
    let (server, session) = (IssuedSecrets(), IssuedSecrets())
    session.server = server
    session.remember(Secret("short"))
    #expect(session.patterns == nil)
    server.remember(Secret("of the server"))
    #expect(try #require(session.patterns).leavingOut(of: "of the server") == "‹secret›")
    session.remember(Secret("of the session"))
    #expect(try #require(session.patterns).leavingOut(of: "of the session, of the server") == "‹secret›, ‹secret›")
    #expect(try #require(server.patterns).leavingOut(of: "of the session") == "of the session")
  }

  @Test func `the latest secrets are remembered up to the limits of count and bytes`() throws {
    let secrets = IssuedSecrets()
    for number in 0...IssuedSecrets.countLimit { secrets.remember(Secret("secret-number-\(number)!")) }
    let patterns = try #require(secrets.patterns)
    #expect(patterns.leavingOut(of: "secret-number-0!") == "secret-number-0!")
    #expect(patterns.leavingOut(of: "secret-number-1!") == "‹secret›")
    for letter in ["a", "b"] {
      secrets.remember(Secret(String(repeating: letter, count: IssuedSecrets.byteLimit)))
    }
    #expect(try #require(secrets.patterns).leavingOut(of: "secret-number-500!") == "secret-number-500!")
  }
}
