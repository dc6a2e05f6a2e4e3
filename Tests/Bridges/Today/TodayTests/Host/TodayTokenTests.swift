import BridgeCore
import BridgeRuntime
import CookieJar
import Foundation
import Testing

@testable import Today

/// The contract, at the level of messages: what a trusted page gets of the token.
@Suite @BridgeActor struct TodayTokenTests {
  private let app: TestApp

  init() throws {
    app = try TestApp()
  }

  // MARK: Signed in, trusted

  @Test func `headers answers at once with the current bearer, stale or not, and the extra headers`() async throws {
    let page = try app.page()
    page.post(["type": "refreshToken"])
    try await app.finishRefresh(1, token: "one")
    _ = try await page.answer()
    page.post(["type": "headers"])
    app.clock.advance(by: .seconds(7200))
    page.post(["type": "headers"])
    app.host.tokens.expire()
    page.post(["type": "headers"])
    #expect(
      page.answers.dropFirst()
        == Array(repeating: .value(["Authorization": "Bearer one", "X-Feed": "1"]), count: 3)[...])
    #expect(app.source.started == 1)
  }

  @Test func `headers neither waits for a refresh nor starts one`() async throws {
    let page = try app.page()
    page.post(["type": "headers"])
    #expect(page.answers == [.value(["X-Feed": "1"])] && app.source.started == 0)
    app.host.launch()
    page.post(["type": "refreshToken"])
    await app.failRefresh(1, .refused(.invalidGrant))
    _ = try await page.answer(2)
    for _ in 0..<30 { page.post(["type": "headers"]) }
    #expect(page.answers.count == 32 && app.source.started == 1)
  }

  @Test func `a token is fetched in the background at launch and at sign-in, once`() async throws {
    let page = try app.page()
    app.host.launch()
    app.host.launch()
    page.post(["type": "refreshToken"])
    try await app.finishRefresh(1, token: "one")
    #expect(try await page.answer() == .value(["authorization": "Bearer one"]))
    app.host.signOut()
    page.post(["type": "headers"])
    app.host.signIn()
    page.post(["type": "refreshToken"])
    try await app.finishRefresh(2, token: "two")
    _ = try await page.answer(3)
    page.post(["type": "headers"])
    #expect(
      page.answers.dropFirst() == [
        .value(["X-Feed": "1"]), .value(["authorization": "Bearer two"]),
        .value(["Authorization": "Bearer two", "X-Feed": "1"]),
      ])
    #expect(app.source.started == 2)
  }

  @Test func `messages of one turn share a refresh, even if the last arrives after its end`() async throws {
    let page = try app.page()
    page.post(["type": "track", "ename": "opened"])
    page.post(["type": "refreshToken"], again: true)
    try await app.finishRefresh(1, token: "one")
    _ = try await page.answer(2)
    page.post(["type": "establishSession", "refresh": true], again: true)
    page.post(["type": "refreshToken"], again: true)
    #expect(page.answers.suffix(2) == [.value(["ok": true]), .value(["authorization": "Bearer one"])])
    #expect(app.source.started == 1)
    // The next turn asks anew, and so does one whose token was replaced.
    page.post(["type": "refreshToken"])
    try await app.finishRefresh(2, token: "two")
    _ = try await page.answer(5)
    app.host.signOut()
    app.host.signIn()
    page.post(["type": "refreshToken"], again: true)
    try await app.finishRefresh(3, token: "three")
    #expect(try await page.answer(6) == .value(["authorization": "Bearer three"]))
  }

  @Test func `messages of one turn share a failed refresh`() async throws {
    let page = try app.page()
    page.post(["type": "refreshToken"])
    await app.failRefresh(1, .unreachable)
    _ = try await page.answer()
    page.post(["type": "refreshToken"], again: true)
    #expect(page.answers.count == 2 && page.answers[0] == page.answers[1] && app.source.started == 1)
  }

  @Test func `headers waits for a token if headersRenewToken is set`() async throws {
    let page = try app.page()
    app.host.headersRenewToken = true
    page.post(["type": "headers"])
    try await app.finishRefresh(1, token: "one")
    #expect(try await page.answer() == .value(["Authorization": "Bearer one", "X-Feed": "1"]))
    app.host.tokens.expire()
    page.post(["type": "headers"])
    await app.failRefresh(2, .unreachable)
    #expect(try await page.answer(2) == .value(["X-Feed": "1"]))
  }

  @Test func `refreshToken answers with a value for the Authorization header only`() async throws {
    let page = try app.page()
    page.post(["type": "refreshToken"])
    try await app.finishRefresh(1, token: "one")
    #expect(try await page.answer() == .value(["authorization": "Bearer one"]))
  }

  @Test func `many calls of many pages share one refresh`() async throws {
    let pages = try (0..<50).map { _ in try app.page() }
    for page in pages {
      for _ in 0..<9 { page.post(["type": "refreshToken"]) }
      page.post(["type": "establishSession", "refresh": true])
    }
    try await app.finishRefresh(1, token: "one")
    for page in pages {
      _ = try await page.answer(10)
      #expect(
        page.answers == Array(repeating: .value(["authorization": "Bearer one"]), count: 9) + [.value(["ok": true])])
    }
    #expect(app.source.started == 1)
  }

  @Test func `a failed refresh fails every call that joined it, and the next call refreshes again`() async throws {
    let page = try app.page()
    for _ in 0..<3 { page.post(["type": "refreshToken"]) }
    page.post(["type": "establishSession", "refresh": true])
    await app.failRefresh(1, .refused(.invalidGrant))
    _ = try await page.answer(4)
    let text = "The session could not be renewed: the token endpoint answered invalid_grant. Sign in again."
    #expect(page.answers == Array(repeating: .rejected(text), count: 3) + [.value(["ok": false])])
    page.post(["type": "refreshToken"])
    try await app.finishRefresh(2, token: "two")
    #expect(try await page.answer(5) == .value(["authorization": "Bearer two"]))
  }

  @Test func `a detached page gets no answer, and does not cancel the refresh for others`() async throws {
    let leaving = try app.page()
    let staying = try app.page()
    leaving.post(["type": "refreshToken"])
    leaving.post(["type": "establishSession", "refresh": true])
    staying.post(["type": "refreshToken"])
    leaving.bridge.detach()
    try await app.finishRefresh(1, token: "one")
    #expect(try await staying.answer() == .value(["authorization": "Bearer one"]))
    #expect(leaving.answers.isEmpty && app.source.started == 1)
    #expect(app.cookies.metadata.isEmpty)
  }

  // MARK: establishSession

  @Test func `establishSession sets the cookie of the current token and answers ok`() async throws {
    let page = try app.page()
    page.post(["type": "establishSession"])
    #expect(app.cookies.metadata.isEmpty)
    try await app.finishRefresh(1, token: "one")
    #expect(try await page.answer() == .value(["ok": true]))
    #expect(try app.cookieHeader("https://today.example/api/x") == "embed_bearer=one")
    for url in [
      "https://today.example/api", "https://today.example/embed", "http://today.example/api/x",
      "https://a.today.example/api/",
    ] {
      #expect(try app.cookieHeader(url) == nil)
    }
    let cookie = try #require(app.cookies.metadata.first)
    #expect(
      cookie.isHTTPOnly && cookie.isSecure && cookie.isHostOnly && cookie.path == "/api/" && cookie.expires == nil)
    page.post(["type": "establishSession"])
    #expect(try await page.answer(2) == .value(["ok": true]))
    #expect(app.source.started == 1 && app.cookies.metadata.count == 1)
  }

  @Test(
    arguments: [
      (true, true), (false, false), (1, true), (0, false), (2, false), ("true", false), (nil, false), ([:], false),
    ] as [(JSONValue, Bool)])
  func `establishSession forces a refresh if refresh is true or 1`(_ value: JSONValue, _ isForced: Bool)
    async throws
  {
    let page = try app.page()
    page.post(["type": "refreshToken"])
    try await app.finishRefresh(1, token: "one")
    _ = try await page.answer()
    page.post(["type": "establishSession", "refresh": value])
    if isForced { try await app.finishRefresh(2, token: "two") }
    #expect(try await page.answer(2) == .value(["ok": true]))
    #expect(try app.cookieHeader("https://today.example/api/") == "embed_bearer=\(isForced ? "two" : "one")")
  }

  @Test func `a token too long for a cookie fails establishSession, but not refreshToken`() async throws {
    let page = try app.page()
    let long = String(repeating: "x", count: 4096)
    page.post(["type": "establishSession"])
    page.post(["type": "refreshToken"])
    try await app.finishRefresh(1, token: long)
    _ = try await page.answer(2)
    #expect(page.answers == [.value(["ok": false]), .value(["authorization": .string("Bearer \(long)")])])
    #expect(app.remarks == [.sessionCookieRefused])
  }

  @Test func `a failed refresh leaves the cookie unchanged`() async throws {
    let page = try app.page()
    page.post(["type": "establishSession"])
    try await app.finishRefresh(1, token: "one")
    _ = try await page.answer()
    page.post(["type": "establishSession", "refresh": true])
    await app.failRefresh(2, .unreachable)
    #expect(try await page.answer(2) == .value(["ok": false]))
    #expect(try app.cookieHeader("https://today.example/api/") == "embed_bearer=one")
  }
}
