import BridgeRuntime
import CookieJar
import Foundation
import HTTP1
import HTTPTypes
import Logging
import Testing
import Today

@testable import Sessions
@testable import SiteServer
@testable import TodayServer

@BridgeActor
@Suite struct TodayUpstreamCookiesTests {
  private let today: TodayHost

  init() throws {
    let backend = try TodayBackend(
      TodayConfiguration(),
      ServerContext(
        siteOrigins: [], limits: FootbridgeLimits(), storage: nil, logger: Logger(label: "test"),
        clock: ManualBridgeClock(), random: BridgeRandom(seed: 1)))
    today = backend.host(
      deviceID: "d", launchID: "l", isSignedIn: nil, platform: .ios, cookies: CookieStorage(),
      clock: SystemBridgeClock(), random: BridgeRandom(seed: 1))
  }

  private func mint() throws {
    try today.cookies.setCookie(
      Cookie(
        name: TodayHost.sessionCookieName, value: "jar", domain: "today.example", path: "/api/", isSecure: true,
        isHTTPOnly: true))
  }

  @Test func `a site that clears its cookies clears its own cookies of the jar only`() throws {
    try mint()
    try today.cookies.setCookie(
      Cookie(name: "other", value: "1", domain: "other.example", path: "/", isSecure: true, isHTTPOnly: true))
    try siteCookies("https://today.example/logout", .get, [:]).clear()
    #expect(today.cookies.metadata.map(\.name) == ["other"])
  }

  private func header(_ url: String, _ cookies: [String], _ metadata: [String: String] = [:]) throws -> String? {
    var fields = HTTPFields()
    for (name, value) in metadata { fields[try #require(HTTPField.Name(name))] = value }
    return try siteCookies(url, .get, fields).field(
      insteadOf: cookies.map { HTTPField(name: .cookie, value: $0) })?.value
  }

  private func take(_ lines: [String], _ url: String = "https://today.example/api/x") throws -> [String] {
    let cookies = try siteCookies(url, .post, [:])
    return lines.filter { !cookies.take(HTTPField(name: .setCookie, value: $0)) }
  }

  private func siteCookies(_ url: String, _ method: HTTPRequest.Method, _ fields: HTTPFields) throws
    -> TodayUpstreamCookies
  {
    let target = try #require(RequestTarget("/", method: method))
    var fields = fields
    fields.append(HTTPField(name: .hostField, value: "localhost"))
    let head = try RequestHead(method: method, target: target, fields: fields)
    return TodayUpstreamCookies(today: today, siteURL: try #require(URL(string: url)), head: head)
  }

  @Test func `the jar's cookie is sent before the browser's and replaces one of its name`() throws {
    try mint()
    #expect(
      try header("https://today.example/api/x", ["a=1; embed_bearer=browser;b=2", " c = 3 ;;"])
        == "embed_bearer=jar; a=1; b=2; c = 3")
    #expect(try header("https://today.example/api/x", []) == "embed_bearer=jar")
  }

  @Test(arguments: [
    "https://today.example/api", "https://today.example/embed", "http://today.example/api/x",
    "https://x.today.example/api/",
  ])
  func `the browser's cookies are not changed for URLs without cookies of the jar`(url: String) throws {
    try mint()
    #expect(try header(url, ["a=1"]) == nil)
  }

  @Test func `a cross-site request does not carry the jar's cookie`() throws {
    try mint()
    let image = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"]
    #expect(try header("https://today.example/api/x", [], image) == nil)
    let navigation = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]
    #expect(try header("https://today.example/api/x", [], navigation) == "embed_bearer=jar")
  }

  @Test func `Referer and Origin decide whether a request without fetch metadata is cross-site`() throws {
    try mint()
    let url = "https://today.example/api/x"
    #expect(try header(url, [], ["Referer": "http://localhost:8080/a?b"]) == "embed_bearer=jar")
    #expect(try header(url, [], ["Origin": "http://localhost:9090"]) == "embed_bearer=jar")
    for field in ["Referer", "Origin"] {
      #expect(try header(url, [], [field: "http://evil.example/"]) == nil)
      #expect(try header(url, [], [field: "null"]) == nil)
    }
    let navigation = ["Referer": "http://evil.example/", "Upgrade-Insecure-Requests": "1"]
    #expect(try header(url, [], navigation) == "embed_bearer=jar")
  }

  @Test func `Footbridge's session cookie is not sent to the upstream`() throws {
    try mint()
    let own = "footbridge_session=\(String(repeating: "0", count: 32))"
    #expect(try header("https://today.example/api/", ["\(own); a=1"]) == "embed_bearer=jar; a=1")
    #expect(try header("https://today.example/api/", [own]) == "embed_bearer=jar")
  }

  @Test func `an upstream cookie of the minted name is stored in the jar, all others go to the browser`() throws {
    try mint()
    let others = ["a=1; Path=/", "EMBED_BEARER=x", "", "=;"]
    #expect(try take(["embed_bearer=new; Path=/api/; Secure; HttpOnly"] + others) == others)
    #expect(try header("https://today.example/api/x", []) == "embed_bearer=new")
  }

  @Test func `the upstream can remove the minted cookie`() throws {
    try mint()
    #expect(try take(["embed_bearer=; Path=/api/; Max-Age=0"]) == [])
    #expect(try header("https://today.example/api/x", []) == nil)
  }

  @Test func `a cookie of that name goes to the browser if the host has not minted one`() throws {
    let line = "embed_bearer=x; Path=/api/"
    #expect(try take([line]) == [line])
    try mint()
    today.signOut()
    #expect(try take([line]) == [line])
    #expect(try header("https://today.example/api/x", []) == nil)
  }
}
