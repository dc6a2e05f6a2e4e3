import BridgeRuntime
import Testing
import Today

@testable import Footbridge
@testable import Sessions
@testable import TodayServer

@Suite struct TodaySectionTests {
  private func configuration(_ text: String) throws -> TodayConfiguration {
    let file = try OptionFile(path: "f.yaml", text: text)
    return try OptionSources(flags: [:], environment: [:], file: file).options().today
  }

  @Test func `without a today section the user is signed in with a built-in token`() throws {
    let today = try configuration("port: 1")
    #expect(today.isSignedIn)
    #expect(today.trustedOrigins == nil && today.trustedPaths == ["/"])
    guard case .builtIn(.seconds(3600), let claims) = today.token else { return #expect(Bool(false)) }
    #expect(claims.isEmpty)
  }

  @Test func `claims retain their YAML types, and quoted ones are text`() throws {
    let today = try configuration(
      #"today: { token: { lifetime: 60, claims: { a: 1, b: "1", c: true, d: 'true', e: null, f: [x, 1.5], g: { h: no-number } } } }"#
    )
    guard case .builtIn(.seconds(60), let claims) = today.token else { return #expect(Bool(false)) }
    #expect(
      claims == [
        "a": 1, "b": "1", "c": true, "d": "true", "e": nil, "f": ["x", 1.5], "g": ["h": "no-number"],
      ])
  }

  @Test func `every key of the today section is read`() throws {
    let today = try configuration(
      """
      today:
        signedIn: false
        feedExtraHeaders: { X-Feed: "1" }
        trustedOrigins: [https://a.example, "https://b.example:8443"]
        trustedPaths: [/feed, /embed]
        token: { url: "https://id.example/token", refreshToken: r, clientId: c, clientSecret: s }
        track: { url: "https://events.example/batch/", key: k }
        identity: { uid: null, did: d, sid: s, tz: Europe/Berlin, ctx: { build: 7 } }
      """)
    #expect(!today.isSignedIn)
    #expect(today.extraHeaders.values == ["X-Feed": "1"])
    #expect(today.trustedOrigins == ["https://a.example", "https://b.example:8443"])
    #expect(today.trustedPaths == ["/feed", "/embed"])
    guard case .endpoint("https://id.example/token", let credentials) = today.token else {
      return #expect(Bool(false))
    }
    #expect(
      credentials == OAuthCredentials(refreshToken: Secret("r"), clientID: "c", clientSecret: Secret("s")))
    #expect(today.trackURL == "https://events.example/batch/" && today.trackKey == Secret("k"))
    #expect(today.userID == nil && today.deviceID == "d" && today.sessionID == "s" && today.timeZone == "Europe/Berlin")
    #expect(today.context == ["build": 7])
  }

  @Test func `the built-in issuer takes 50 ms, or what the file says`() throws {
    #expect(try configuration("port: 1").refreshDelay == .milliseconds(50))
    #expect(try configuration("today: { refreshDelay: 0 }").refreshDelay == .zero)
    let error = #expect(throws: OptionError.self) { try configuration("today: { refreshDelay: 60001 }") }
    #expect(error?.description == "today.refreshDelay in f.yaml must be a whole number from 0 to 60000. It is 60001.")
    let endpoint = "token: { url: 'https://id.example/token', refreshToken: r }"
    #expect(throws: OptionError.self) { try configuration("today: { refreshDelay: 1, \(endpoint) }") }
  }

  @Test func `a token endpoint is read with HTTP Basic, a scope and an audience`() throws {
    let today = try configuration(
      """
      today:
        headersRenewToken: true
        token:
          url: "https://id.example/token"
          refreshToken: r
          clientId: c
          clientSecret: s
          clientAuthentication: client_secret_basic
          scope: feed embed
          audience: https://api.example
      """)
    guard case .endpoint(_, let credentials) = today.token else { return #expect(Bool(false)) }
    #expect(credentials.authentication == .basic && today.headersRenewToken)
    #expect(credentials.scope == "feed embed" && credentials.audience == "https://api.example")
  }

  @Test func `without trustedOrigins only the site's own origin is trusted, and of several sites none`() throws {
    var today = TodayConfiguration()
    let document = try #require(
      ServedDocument(origin: "http://127.0.0.1:1", target: "/feed?x", frame: .main, sessionID: "s")
        .siteURL(siteOrigin: "https://today.example/"))
    let page = TodayDocument(siteURL: document, frame: .main)
    #expect(try today.trust(siteOrigins: ["https://today.example"]).decide(page) == .trusted)
    #expect(try today.trust(siteOrigins: []).decide(page) == .untrusted)
    let several = ["https://today.example", "https://pay.example"]
    #expect(try today.trust(siteOrigins: several).decide(page) == .untrusted)
    today.trustedOrigins = ["https://today.example"]
    #expect(try today.trust(siteOrigins: several).decide(page) == .trusted)
    today.trustedOrigins = []
    #expect(try today.trust(siteOrigins: ["https://today.example"]).decide(page) == .untrusted)
  }

  @Test(arguments: [
    ("/feed?x=1", "https://today.example/feed?x=1"), ("//evil.example/", "https://today.example//evil.example/"),
    ("http://evil.example/", nil), ("*", nil), ("@evil.example/", nil),
  ])
  func `a document's site URL always has the site's origin`(target: String, url: String?) {
    let document = ServedDocument(origin: "http://localhost:1", target: target, frame: .main, sessionID: "s")
    #expect(document.siteURL(siteOrigin: "https://today.example")?.absoluteString == url)
  }

  @Test(arguments: [
    ("http://localhost:1/a?b#c", "https://today.example/a?b#c"), ("http://localhost:1", "https://today.example"),
    ("http://localhost:12/a", "http://localhost:12/a"), ("https://localhost:1/a", "https://localhost:1/a"),
    ("https://other.example/http://localhost:1/", "https://other.example/http://localhost:1/"), ("", ""),
  ])
  func `an address that script reports gets the site's origin only on the document's origin`(
    address: String, expected: String
  ) {
    let document = ServedDocument(origin: "http://localhost:1", target: "/", frame: .main, sessionID: "s")
    #expect(document.siteAddress(address, siteOrigin: "https://today.example/") == expected)
    #expect(document.siteAddress(address, siteOrigin: nil) == address)
  }
}
