import BridgeCore
import BridgeRuntime
import CookieJar
import Foundation
import Testing

@testable import Today

/// The contract, at the level of messages: who gets no token.
@Suite @BridgeActor struct TodayTrustTests {
  private let app: TestApp

  init() throws {
    app = try TestApp()
  }

  // MARK: Trust

  @Test(arguments: [FrameKind.sameOriginSubframe, .crossOriginSubframe])
  func `messages of a sub-frame are ignored`(_ frame: FrameKind) async throws {
    let page = try app.page(frame: frame)
    for type in ["track", "headers", "refreshToken", "establishSession", "nope"] {
      page.post(["type": .string(type), "ename": "e"])
    }
    _ = try await page.answer(5)
    #expect(page.answers == Array(repeating: .undefined, count: 5))
    #expect(app.host.events.isEmpty && app.source.started == 0 && app.cookies.metadata.isEmpty)
    #expect(app.remarks == Array(repeating: .subframe, count: 5))
  }

  @Test(
    arguments: [
      ("https://evil.example/feed", [:]), ("https://today.example/other", [:]), ("http://evil.example/feed", [:]),
      ("http://today.example/feed", ["X-Feed": "1"]),
    ] as [(String, JSONValue)])
  func `an untrusted or cleartext main frame gets no token in any form`(_ url: String, _ headers: JSONValue)
    async throws
  {
    let page = try app.page(url)
    page.post(["type": "headers"])
    page.post(["type": "refreshToken"])
    page.post(["type": "establishSession"])
    page.post(["type": "establishSession", "refresh": true])
    page.post(["type": "track", "ename": "e"])
    _ = try await page.answer(5)
    #expect(page.answers == [.value(headers), .undefined, .value(["ok": false]), .value(["ok": false]), .undefined])
    #expect(app.source.started == 0 && app.cookies.metadata.isEmpty && app.host.events.count == 1)
  }

  @Test(arguments: ["https://evil.example/", "https://today.example/other", "http://today.example/feed"])
  func `a document that has navigated to an untrusted URL gets no token`(_ url: String) async throws {
    let page = try app.page()
    for type in ["headers", "refreshToken", "establishSession"] { page.post(["type": .string(type)]) }
    page.bridge.navigate(to: TodayDocument(siteURL: try #require(URL(string: url)), frame: .main))
    try await app.finishRefresh(1, token: "one")
    _ = try await page.answer(3)
    #expect(page.answers.allSatisfy { !"\($0)".contains("one") })
    #expect(Array(page.answers[1...]) == [.undefined, .value(["ok": false])])
    #expect(app.cookies.metadata.isEmpty)
  }

  @Test func `a policy that changes while a refresh is under way applies to it`() async throws {
    let page = try app.page()
    page.post(["type": "refreshToken"])
    app.host.trust = try TrustPolicy(trustedOrigins: [])
    try await app.finishRefresh(1, token: "one")
    #expect(try await page.answer() == .undefined)
  }

  // MARK: Signed out

  @Test func `while signed out headers has no bearer, refreshToken rejects and establishSession fails`() async throws {
    app.host.signOut()
    let page = try app.page()
    page.post(["type": "headers"])
    page.post(["type": "refreshToken"])
    page.post(["type": "establishSession"])
    page.post(["type": "establishSession", "refresh": true])
    _ = try await page.answer(4)
    #expect(
      page.answers == [
        .value(["X-Feed": "1"]), .rejected("You are signed out. Sign in and try again."), .value(["ok": false]),
        .value(["ok": false]),
      ])
    #expect(app.source.started == 0)
  }

  @Test func `signing out ends the refresh and removes the minted cookie`() async throws {
    let page = try app.page()
    page.post(["type": "establishSession"])
    try await app.finishRefresh(1, token: "one")
    _ = try await page.answer(1)
    page.post(["type": "refreshToken"])
    page.post(["type": "establishSession", "refresh": true])
    await app.source.started(2)
    app.host.signOut()
    _ = try await page.answer(3)
    #expect(
      Array(page.answers[1...]) == [.rejected("You are signed out. Sign in and try again."), .value(["ok": false])])
    #expect(app.cookies.metadata.isEmpty)
    app.host.signIn()
    page.post(["type": "establishSession"])
    await app.source.started(3)
    try app.source.finish(token: "late")
    try app.source.finish(token: "new")
    #expect(try await page.answer(4) == .value(["ok": true]))
    #expect(try app.cookieHeader("https://today.example/api/") == "embed_bearer=new")
  }

  @Test func `signing out leaves cookies that the host did not mint`() async throws {
    app.cookies.setCookies(from: ["a=1"], url: try #require(URL(string: "https://today.example/")))
    app.host.signOut()
    #expect(app.cookies.metadata.map(\.name) == ["a"])
  }

  @Test func `takeCookie accepts the minted cookie's name on its host only, while it exists`() async throws {
    let site = try #require(URL(string: "https://today.example/api/x"))
    let other = try #require(URL(string: "https://other.example/api/x"))
    #expect(!app.host.takeCookie(setBy: "embed_bearer=x; Path=/api/", at: site))
    let page = try app.page()
    page.post(["type": "establishSession"])
    try await app.finishRefresh(1, token: "one")
    _ = try await page.answer()
    let changes = app.cookieChangeCount
    for line in ["embed_bearers=x", "x=embed_bearer=x", ""] { #expect(!app.host.takeCookie(setBy: line, at: site)) }
    #expect(!app.host.takeCookie(setBy: "embed_bearer=x", at: other))
    #expect(try app.cookieHeader("https://today.example/api/") == "embed_bearer=one")
    #expect(app.host.takeCookie(setBy: " embed_bearer = two; Path=/api/", at: site))
    #expect(try app.cookieHeader("https://today.example/api/") == "embed_bearer=two")
    #expect(app.host.takeCookie(setBy: "embed_bearer=; Path=/api/; Max-Age=0", at: site))
    #expect(try app.cookieHeader("https://today.example/api/") == nil)
    #expect(app.cookieChangeCount == changes + 2)
  }
}
