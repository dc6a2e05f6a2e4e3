import BridgeRuntime
import HTTP1
import HTTPTypes
import Testing

@testable import Footbridge
@testable import SiteServer

/// The changes to fields that browsers act on: the table of the manual (docs/proxy.md).
@BridgeActor
@Suite struct ResponseFieldsTests {
  /// The browser uses `http://localhost:8080`, the upstream is `http://localhost:5173`, and the site in production `https://app.example.com`.
  private func fields(
    _ lines: [String], destination: String = "document", isListed: Bool = false
  ) throws -> [String] {
    let listed = isListed ? try ListedSite("https://app.example.com=http://localhost:5173") : nil
    let routes = try ProxyRoutes(proxy: "http://localhost:5173", routes: [:])
    let host = isListed ? "app.example.com" : "localhost:8080"
    let addresses = SiteAddresses(
      scheme: isListed ? "https" : "http", authority: Authority(host), route: try #require(routes.rootRoute),
      routes: routes,
      siteOrigin: HTTPOrigin("https://app.example.com"), proxyHost: nil, listedSite: listed)
    var request: HTTPFields = [.secFetchDest: destination]
    request[.hostField] = host
    let head = try RequestHead(method: .get, target: .origin(path: "/", query: nil), fields: request)
    let requested = RequestedDocument(head, isSecure: isListed)
    let response = UpstreamResponse(
      addresses: addresses, sessionCookie: SessionCookie(in: [:]), cookies: nil, requested: requested, request: head,
      browserCookies: BrowserCookies(), changes: try FieldChanges([], option: "--response-header"))
    var received: HTTPFields = [.contentType: "text/html"]
    for line in lines {
      let parts = line.split(separator: ": ", maxSplits: 1)
      received.append(HTTPField(name: .named(String(parts[0])), value: String(parts[1])))
    }
    let answer = try ResponseHead(status: .ok, fields: received, inResponseTo: .get)
    let injected = InjectedResponse(answer, requested: requested)
    var result =
      injected.isInjected
      ? injected.mended(response.fields(of: answer)) : injected.unchanged(response.fields(of: answer))
    if injected.isInjected {
      _ = DocumentPolicies(
        mending: &result, isSecure: isListed, authority: Authority(host), random: BridgeRandom(seed: 1))
    }
    let ours: [HTTPField.Name] = [.contentType, .cacheControl, .vary]
    return result.filter { !ours.contains($0.name) || received.contains($0.name) && $0.name != .contentType }.map {
      "\($0.name.rawName): \($0.value)"
    }
  }

  /// Fields that a document keeps, word for word.
  @Test(arguments: [
    "Accept-CH: DPR", "Access-Control-Allow-Origin: *", "Content-Disposition: inline", "Content-Language: de",
    "Content-Security-Policy: sandbox allow-scripts allow-same-origin", "Critical-CH: DPR",
    "Cross-Origin-Embedder-Policy: require-corp",
    "Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Resource-Policy: same-site",
    "Document-Policy: document-write=?0",
    "Document-Isolation-Policy: isolate-and-require-corp", "Link: </a.js>; rel=preload; as=script", "Location: /a",
    "Origin-Agent-Cluster: ?1", "Permissions-Policy: geolocation=(), camera=*, sync-xhr=(self \"https://a.example\")",
    "Referrer-Policy: no-referrer", "Report-To: {\"group\":\"a\"}", "Reporting-Endpoints: a=\"/reports\"",
    "Server-Timing: a;dur=1",
    "Service-Worker-Allowed: /", "Set-Cookie: a=1; Secure; HttpOnly", "SourceMap: /a.map",
    "Speculation-Rules: \"/rules.json\"",
    "Supports-Loading-Mode: credentialed-prerender", "Tk: N", "WWW-Authenticate: Basic",
    "X-Content-Type-Options: nosniff",
    "X-DNS-Prefetch-Control: off", "X-Frame-Options: DENY", "X-XSS-Protection: 0",
  ])
  func `these fields of a document are passed on`(line: String) throws {
    #expect(try fields([line]) == [line])
  }

  /// Fields that a document loses, since they would keep out the shim, or would be wrong with it. Other answers keep them.
  @Test(arguments: [
    "Accept-Ranges: bytes", "Content-Digest: sha-256=:YQ==:", "Content-Encoding: br", "Content-Length: 10",
    "Content-MD5: YQ==",
    "Digest: sha-256=YQ==", "ETag: \"a\"", "Expires: Thu, 01 Jan 1970 00:00:00 GMT",
    "Integrity-Policy: blocked-destinations=(script)",
    "Integrity-Policy-Report-Only: blocked-destinations=(script)", "Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT",
    "No-Vary-Search: params", "Repr-Digest: sha-256=:YQ==:", "Signature: a=:YQ==:", "Signature-Input: a=()",
    "Unencoded-Digest: sha-256=:YQ==:", "Use-As-Dictionary: match=\"/*\"",
  ])
  func `these fields are removed from a document, and passed on in other responses`(line: String) throws {
    #expect(try fields([line]) == [])
    #expect(try fields([line], destination: "empty") == [line])
  }

  /// Fields about the upstream's host, which a browser would apply to the whole of this machine.
  @Test(arguments: ["Alt-Svc: h3=\":443\"", "NEL: {\"report_to\":\"a\"}", "Strict-Transport-Security: max-age=60"])
  func `fields about the upstream's host alone are removed from every response`(line: String) throws {
    #expect(try fields([line]) == [])
    #expect(try fields([line], destination: "image") == [])
    #expect(try fields([line], isListed: true) == (line.hasPrefix("Strict") ? [line] : []))
  }

  /// Addresses of the upstream or of the site in production become the browser's.
  @Test(arguments: [
    ("Access-Control-Allow-Origin: http://localhost:5173", "Access-Control-Allow-Origin: http://localhost:8080"),
    ("Content-Location: http://localhost:5173/a", "Content-Location: http://localhost:8080/a"),
    (
      "Link: <http://localhost:5173/?page=2>; rel=next, <https://app.example.com/a.js>; rel=preload",
      "Link: <http://localhost:8080/?page=2>; rel=next, <http://localhost:8080/a.js>; rel=preload"
    ),
    ("Location: https://app.example.com/a?b#c", "Location: http://localhost:8080/a?b#c"),
    ("Refresh: 0; url=http://localhost:5173/a", "Refresh: 0; url=http://localhost:8080/a"),
    ("Service-Worker-Allowed: http://localhost:5173/", "Service-Worker-Allowed: http://localhost:8080/"),
    ("Set-Cookie: a=1; Domain=app.example.com; Path=/", "Set-Cookie: a=1; Path=/"),
    ("SourceMap: http://localhost:5173/a.map", "SourceMap: http://localhost:8080/a.map"),
    (
      "Speculation-Rules: \"http://localhost:5173/r\", \"/s\"", "Speculation-Rules: \"http://localhost:8080/r\", \"/s\""
    ),
    ("Timing-Allow-Origin: http://localhost:5173", "Timing-Allow-Origin: http://localhost:8080"),
  ])
  func `a URL of the site in a response field becomes the browser's`(line: String, expected: String) throws {
    #expect(try fields([line]) == [expected])
    #expect(try fields([line], destination: "empty") == [expected])
  }

  @Test func `a policy that allows the site's origin also allows the browser's`() throws {
    let line =
      "Content-Security-Policy: img-src https://app.example.com/static/ https://cdn.example; frame-src http://localhost:5173"
    #expect(
      try fields([line], destination: "empty") == [
        "Content-Security-Policy: img-src https://app.example.com/static/ http://localhost:8080/static/ https://cdn.example; "
          + "frame-src http://localhost:5173 http://localhost:8080"
      ])
  }

  @Test(arguments: [
    ("camera=()", "camera=(self)"), ("sync-xhr=(), geolocation=()", "sync-xhr=(self), geolocation=()"),
    ("geolocation=(self), camera=(\"https://a.example\")", "geolocation=(self), camera=(self \"https://a.example\")"),
    ("camera=(self)", "camera=(self)"), ("camera=(*)", "camera=(*)"), ("camera=*", "camera=*"), ("camera", "camera"),
    ("", ""),
  ])
  func `Permissions-Policy always allows the camera and synchronous requests`(value: String, expected: String) {
    #expect(PermissionsPolicy.mend(value) == expected)
  }

  @Test(arguments: [
    ("attachment", false), ("ATTACHMENT; filename=a.html", false), ("form-data; name=a", false), ("inline", true),
    ("inline; filename=a.html", true), ("filename=a.html", true), ("", true),
  ])
  func `a response that browsers download gets no shim`(disposition: String, isInjected: Bool) throws {
    let request = try RequestHead(
      method: .get, target: .origin(path: "/", query: nil), fields: [.secFetchDest: "document", .hostField: "a"])
    let answer = try ResponseHead(
      status: .ok, fields: [.contentType: "text/html", .contentDisposition: disposition], inResponseTo: .get)
    #expect(InjectedResponse(answer, requested: RequestedDocument(request, isSecure: false)).isInjected == isInjected)
  }

  @Test func `trailers about a changed body are removed`() {
    let trailers: HTTPFields = [
      .named("Content-Digest"): "sha-256=:YQ==:", .eTag: "\"a\"", .named("Server-Timing"): "a;dur=1",
    ]
    #expect(InjectedResponse.mendedTrailers(trailers).map(\.name) == [.named("Server-Timing")])
  }
}
