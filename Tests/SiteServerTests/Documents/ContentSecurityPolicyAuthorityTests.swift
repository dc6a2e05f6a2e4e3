import HTMLInjection
import HTTP1
import Testing

@testable import Footbridge
@testable import Sessions
@testable import SiteServer

@Suite struct ContentSecurityPolicyAuthorityTests {
  @Test func `a page's policy allows the shim at the page's own scheme, host and port`() throws {
    let authority = try #require(Authority("shop.example:8443"))
    let policy = ContentSecurityPolicy(nonce: "n", isSecure: true, authority: authority)
    #expect(policy.scripts == "https://shop.example:8443/__footbridge/")
    #expect(policy.socket == "wss://shop.example:8443/__footbridge/bridge")
    let plain = ContentSecurityPolicy(nonce: "n", isSecure: false, authority: authority)
    #expect(plain.scripts == "http://shop.example:8443/__footbridge/")
    #expect(plain.socket == "ws://shop.example:8443/__footbridge/bridge")
  }
}
