import CookieJar
import Foundation
import Testing

@Suite struct CookieFuzzTests {
  /// Knuth's linear congruential generator: the same headers in each run.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private static let pieces = [
    "a", "=", "=", ";", ";", " ", "\t", "\"", ",", "Path=/", "Path", "Domain=site.example", "Domain=.", "domain=..",
    "Domain=[::1]",
    "Max-Age=", "-", "9", "99999999999999999999", "Expires=", "Wed, 09 Jun 2099 10:18:14 GMT", ":", "Secure",
    "HttpOnly",
    "SameSite=", "None", "Lax", "__Host-", "__secure-", "\r", "\n", "\0", "\u{7f}", "é", "\u{301}", "👩‍👩‍👧", ".", "..", "/",
    "//", "%",
  ]

  @Test func `random headers keep the jar within its limits and its header on one line`() async throws {
    var generator = Generator(state: 1)
    let limits = CookieStorageLimits(cookiesPerDomain: 5, cookies: 12)
    let test = TestJar(limits: limits)
    let urls = [
      "https://site.example/", "http://www.site.example/a/b", "https://127.0.0.1/x", "https://[::1]/",
      "http://localhost/",
      "https://münchen.example/ü", "https://a.site.example/a//b/",
    ]
    for number in 0..<20_000 {
      // Other tests wait for this thread.
      if number.isMultiple(of: 500) { await Task.yield() }
      let count = Int.random(in: 0...12, using: &generator)
      let header = (0..<count).compactMap { _ in Self.pieces.randomElement(using: &generator) }.joined()
      let url = try #require(urls.randomElement(using: &generator))
      try test.set(header, at: url)
      let sent = try test.header(at: url)
      #expect(!sent.utf8.contains { ($0 < 0x20 && $0 != 9) || $0 == 0x7F })
      if Bool.random(using: &generator) { test.advance(0.5) }
    }
    let cookies = test.jar.metadata
    #expect(cookies.count <= 12 && !cookies.isEmpty)
    #expect(Dictionary(grouping: cookies, by: \.domain).values.allSatisfy { $0.count <= 5 })
    let snapshot = test.jar.snapshot()
    let copy = TestJar(limits: limits)
    copy.advance(test.now.timeIntervalSince(copy.now))
    copy.jar.restore(snapshot)
    #expect(copy.jar.snapshot() == snapshot)
  }
}
