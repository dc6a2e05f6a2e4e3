import BridgeCore
import BridgeRuntime
import FootbridgeTesting
import Testing

@testable import Footbridge
@testable import Sessions
@testable import TodayServer

/// Each rule for the Today WebView is broken once, and missed by a little.
@Suite(.timeLimit(.minutes(5))) @BridgeActor struct TodayLintTests {
  private static let trust = """
    siteOrigin: https://today.example
    today: { trustedOrigins: ["https://today.example", "https://api.today.example"], trustedPaths: ["/feed"] }
    """

  private func run(_ body: @BridgeActor (LintedApp, TestPage) async throws -> Void) async throws {
    try await LintedApp.run(Self.trust) { app in
      try await body(app, try await app.server.openPage(at: "/feed"))
    }
  }

  @Test(arguments: [
    ("todayWebviewBridge", "L19"), ("TodayWebViewBridge", "L19"), ("todayWebViewBrige", "L19"),
    ("todayWebViewBridge", ""), ("webViewBridge", ""), ("gbgBridge", ""), ("ReactNativeWebView", ""),
  ])
  func `L19 is reported for a name that is nearly the handler's`(name: String, found: String) async throws {
    try await run { app, page in
      try await app.reports(page, ["seen": "handler", "name": .string(name)])
      #expect(try app.found == found)
    }
  }

  @Test(
    arguments: [
      (["type": "tracks"], "L20"), (["type": 1], "L20"), ([:], "L20"), ("track", "L20"),
      (["type": "headers", "more": 1], ""), (["type": "track", "ename": "a", "parameters": ["b": [1]]], "L21"),
      (["type": "track", "ename": "a", "parameters": ["b": .null, "c": [:]]], "L21"),
      (["type": "track", "ename": "a", "parameters": ["b": 1, "c": "d", "e": true]], ""),
      (["type": "track", "event": "a"], "L27"), (["type": "track", "ename": ""], "L27"),
    ] as [(JSONValue, String)])
  func `L20, L21 and L27 are reported for unknown messages, dropped parameters and events without a name`(
    message: JSONValue, found: String
  ) async throws {
    try await run { app, page in
      try await page.post(message, to: "todayWebViewBridge")
      #expect(try app.found == found)
    }
  }

  @Test(arguments: [
    ("url", "today.example", "L22"), ("body", "today.example", "L22"), ("header", "evil.example", "L22"),
    ("header", "today.example:8443", "L22"), ("header", "today.example", ""), ("header", "api.today.example", ""),
    ("cookie", "evil.example", ""),
  ])
  func `L22 is reported for a token in a URL, in a body, or to a foreign host`(
    place: String, host: String, found: String
  ) async throws {
    try await run { app, page in
      try await app.reports(page, ["seen": "token", "place": .string(place), "host": .string(host)])
      #expect(try app.found == found)
    }
  }

  private func refresh(_ page: TestPage, times: Int) async throws {
    for _ in 0..<times { _ = try? await page.post(["type": "refreshToken"], to: "todayWebViewBridge") }
  }

  @Test func `L23 is reported for the fourth refresh of a token that was not refused`() async throws {
    try await run { app, page in
      try await page.post(["type": "headers"], to: "todayWebViewBridge")
      try await refresh(page, times: 3)
      #expect(try app.found == "")
      try await page.post(["type": "establishSession", "refresh": true], to: "todayWebViewBridge")
      #expect(try app.found == "L23")
    }
  }

  @Test func `L23 is not reported for a refused or expired token`() async throws {
    try await run { app, page in
      try await page.post(["type": "headers"], to: "todayWebViewBridge")
      let tokens = try #require(app.server.launch().bridge(TodaySession.self)).host.tokens
      try await refresh(page, times: 3)
      try await app.reports(page, ["seen": "unauthorized"])
      try await refresh(page, times: 3)
      app.server.clock.advance(by: .seconds(24 * 3600))
      try await refresh(page, times: 3)
      for _ in 0..<4 {
        tokens.expire()
        try await refresh(page, times: 1)
      }
      #expect(try app.found == "")
    }
  }
}
