import BridgeRuntime
import Testing

@Suite struct SecretTests {
  private let hidden = "hush-hush-token"

  @Test func `nothing that prints a value prints a secret`() {
    let secret = Secret(hidden)
    var dumped = ""
    dump(secret, to: &dumped)
    let texts = [
      "\(secret)", String(describing: secret), String(reflecting: secret), dumped, "\([secret])",
      "\(["key": secret])", "\(Optional(secret) as Any)", "\((secret, 1))",
    ]
    for text in texts { #expect(!text.contains("hush")) }
  }

  @Test func `a secret is revealed to code that asks for it`() {
    #expect(Secret(hidden).reveal() == hidden)
  }
}
