import Foundation
import Testing
import Today

@Suite struct TrustPolicyTests {
  private func decide(_ url: String, frame: FrameKind = .main) throws -> TrustDecision {
    let policy = try TrustPolicy(
      trustedOrigins: ["https://today.example", "https://dev.example:8443", "http://127.0.0.1:8080"],
      trustedPaths: ["/feed", "/embed/"])
    return policy.decide(TodayDocument(siteURL: try #require(URL(string: url)), frame: frame))
  }

  @Test(arguments: [
    "https://today.example/feed", "https://today.example/feed/", "https://today.example/feed/x/y?z#w",
    "https://today.example/feed?x=/other", "https://TODAY.example/feed", "https://today.example:443/feed",
    "https://dev.example:8443/feed", "https://today.example/embed/", "https://today.example/embed/x",
    "https://user@today.example/feed", "https://today.example/feed/a%20b",
  ])
  func `listed origins over HTTPS are trusted, at and below the listed paths`(_ url: String) throws {
    #expect(try decide(url) == .trusted)
  }

  @Test(arguments: [
    "https://today.example/", "https://today.example", "https://today.example/feedback", "https://today.example/Feed",
    "https://today.example/embed", "https://today.example/x/feed", "https://today.example:8443/feed",
    "https://dev.example/feed",
    "https://www.today.example/feed", "https://today.example.evil.example/feed",
    "https://today.example@evil.example/feed",
    "https://eviltoday.example/feed", "https://127.0.0.1:8080/feed", "http://127.0.0.1:8081/feed",
    "https://today.example./feed",
    "https://today.example/feed/../admin", "https://today.example/feed/%2e%2E/admin", "https://today.example/feed/.",
    "https://today.example/feed/.%2e/x", "file:///feed", "data:text/html,x", "about:blank", "wss://today.example/feed",
    "blob:https://today.example/feed", "/feed",
  ])
  func `other origins, paths and schemes are untrusted`(_ url: String) throws {
    #expect(try decide(url) == .untrusted)
  }

  @Test(arguments: [
    "http://today.example/feed", "http://today.example:80/feed", "http://dev.example:8443/feed",
    "http://127.0.0.1:8080/feed",
  ])
  func `a trusted surface over HTTP is cleartext`(_ url: String) throws {
    #expect(try decide(url) == .cleartext)
  }

  @Test(arguments: [FrameKind.sameOriginSubframe, .crossOriginSubframe])
  func `a sub-frame is never trusted`(_ frame: FrameKind) throws {
    for url in ["https://today.example/feed", "http://today.example/feed", "https://evil.example/"] {
      #expect(try decide(url, frame: frame) == .subframe)
    }
  }

  @Test func `a policy without paths trusts every path, and one without origins trusts none`() throws {
    let document = TodayDocument(siteURL: try #require(URL(string: "https://today.example")), frame: .main)
    #expect(try TrustPolicy(trustedOrigins: ["https://today.example/"], trustedPaths: []).decide(document) == .trusted)
    #expect(try TrustPolicy(trustedOrigins: ["https://today.example"]).decide(document) == .trusted)
    #expect(try TrustPolicy(trustedOrigins: []).decide(document) == .untrusted)
  }

  @Test(arguments: [
    ("https://[::1]:8443", "https://[::1]:8443/feed"), ("https://[::1]", "https://[::1]:443/"),
  ])
  func `an IPv6 origin can be trusted`(_ origin: String, _ url: String) throws {
    let document = TodayDocument(siteURL: try #require(URL(string: url)), frame: .main)
    #expect(try TrustPolicy(trustedOrigins: [origin]).decide(document) == .trusted)
  }

  @Test(arguments: [
    "", "today.example", "https://", "https://today.example/feed", "https://today.example?x", "https://today.example#x",
    "https://user@today.example", "ftp://today.example", "*", "//today.example", "null",
  ])
  func `the error about an invalid trusted origin names it`(_ text: String) {
    #expect(throws: TodaySettingsError.trustedOrigin(text)) { try TrustPolicy(trustedOrigins: [text]) }
  }

  @Test func `the error about a trusted path without a leading slash names it`() {
    #expect(throws: TodaySettingsError.trustedPath("feed")) {
      try TrustPolicy(trustedOrigins: [], trustedPaths: ["/a", "feed"])
    }
  }

  @Test(arguments: [
    ("Authorization", "x"), ("authorization", "x"), ("", "x"), ("a b", "x"), ("a:", "x"), ("ä", "x"), ("a", "x\r\ny"),
    ("a", "\0"),
  ])
  func `the error about an extra header that cannot be sent names it`(_ name: String, _ value: String) {
    #expect(throws: TodaySettingsError.extraHeader(name: name)) { try FeedExtraHeaders([name: value]) }
  }
}
