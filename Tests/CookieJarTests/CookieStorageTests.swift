import CookieJar
import Foundation
import Testing

@Suite struct CookieStorageTests {
  private let minted = Cookie(
    name: "embed_bearer", value: "raw-token", domain: "today.example", path: "/api/", isSecure: true, isHTTPOnly: true)

  // MARK: Room

  @Test func `a jar holds 180 cookies of a domain and 3000 in all`() async throws {
    let test = TestJar()
    for number in 0..<200 { try test.set("c\(number)=1") }
    #expect(test.jar.metadata.count == 180)
    for number in 0..<3200 {
      try test.set("a=1", at: "https://host\(number).example/")
      // Other tests wait for this thread.
      if number.isMultiple(of: 100) { await Task.yield() }
    }
    #expect(test.jar.metadata.count == 3000)
  }

  @Test func `a jar is empty until it stores a cookie`() throws {
    let test = TestJar()
    #expect(test.jar.isEmpty)
    try test.set("a=1")
    #expect(!test.jar.isEmpty)
  }

  @Test func `a full domain evicts the least recently used cookie`() throws {
    let test = TestJar(limits: CookieStorageLimits(cookiesPerDomain: 3))
    try test.set("a=1; Path=/a", "b=2; Path=/b", "c=3; Path=/c")
    _ = try test.header(at: "https://www.site.example/a")
    try test.set("d=4; Path=/d")
    #expect(test.names == ["a", "c", "d"])
    try test.set("e=5", at: "https://other.example/")
    #expect(test.names == ["a", "c", "d", "e"])
  }

  @Test func `a full domain evicts insecure cookies before Secure ones`() throws {
    let test = TestJar(limits: CookieStorageLimits(cookiesPerDomain: 3))
    try test.set("a=1; Secure", "b=2", "c=3; Secure", "d=4; Secure")
    #expect(test.names == ["a", "c", "d"])
    #expect(try test.set("e=5") == [.refused(.noRoom)])
    try test.set("f=6; Secure")
    #expect(test.names == ["c", "d", "f"])
  }

  @Test func `expired cookies are evicted before any other`() throws {
    let test = TestJar(limits: CookieStorageLimits(cookiesPerDomain: 3))
    try test.set("a=1; Secure", "b=2; Secure; Max-Age=5", "c=3")
    test.advance(5)
    try test.set("d=4; Secure")
    #expect(test.names == ["a", "c", "d"])
  }

  @Test func `a full jar evicts the least recently used cookie of any domain`() throws {
    let test = TestJar(limits: CookieStorageLimits(cookies: 3))
    try test.set("a=1; Secure", at: "https://a.example/")
    try test.set("b=2", at: "https://b.example/")
    try test.set("c=3", at: "https://c.example/")
    try test.set("d=4", at: "https://d.example/")
    #expect(test.names == ["b", "c", "d"])
  }

  @Test func `a full jar can replace a cookie without evicting one`() throws {
    let test = TestJar(limits: CookieStorageLimits(cookiesPerDomain: 2, cookies: 2))
    try test.set("a=1", "b=2", "a=3", "b=4")
    #expect(try test.header() == "a=3; b=4")
  }

  // MARK: The host's own cookies

  @Test func `a cookie set by the host is sent to its host and path only`() throws {
    let test = TestJar()
    try test.jar.setCookie(minted)
    #expect(try test.header(at: "https://today.example/api/x") == "embed_bearer=raw-token")
    for url in [
      "https://today.example/api", "https://today.example/embed", "http://today.example/api/x",
      "https://www.today.example/api/x",
    ] {
      #expect(try test.header(at: url) == "")
    }
    #expect(try test.header(at: "https://today.example/api/x", context: .script) == "")
  }

  @Test func `a response may replace and remove a cookie set by the host`() throws {
    let test = TestJar()
    try test.jar.setCookie(minted)
    try test.set("embed_bearer=new; Path=/api/; Secure; HttpOnly", at: "https://today.example/x")
    #expect(try test.header(at: "https://today.example/api/") == "embed_bearer=new")
    #expect(test.jar.metadata.count == 1)
    try test.set("embed_bearer=; Path=/api/; Max-Age=0", at: "https://today.example/x")
    #expect(test.jar.metadata.isEmpty)
  }

  @Test(arguments: [
    (Cookie(name: "a", value: "b\r\nSet-Cookie: x", domain: "a.example"), CookieRefusal.malformed),
    (Cookie(name: "a", value: "b; Domain=x", domain: "a.example"), .malformed),
    (Cookie(name: "a=b", value: "c", domain: "a.example"), .malformed),
    (Cookie(name: "a", value: "b", domain: ""), .malformed),
    (Cookie(name: "a", value: "b", domain: "A.example"), .malformed),
    (Cookie(name: "a", value: "b", domain: "ä.example"), .malformed),
    (Cookie(name: "a", value: "b", domain: "a.example", path: "x"), .malformed),
    (Cookie(name: "a", value: "b", domain: "a.example", path: ""), .malformed),
    (Cookie(name: "", value: "", domain: "a.example"), .empty),
    (Cookie(name: "a", value: String(repeating: "b", count: 4096), domain: "a.example"), .tooLong),
  ])
  func `a cookie that cannot stand in a header is refused`(_ cookie: Cookie, _ refusal: CookieRefusal) {
    let jar = CookieStorage()
    #expect(throws: refusal) { try jar.setCookie(cookie) }
    #expect(jar.metadata.isEmpty)
  }

  @Test func `removeCookies removes the cookies that match`() throws {
    let test = TestJar()
    try test.set("a=1", "b=2", "c=3; Max-Age=9")
    #expect(test.jar.removeCookies { $0.name == "b" } == 1)
    #expect(test.jar.removeCookies { !$0.isPersistent } == 1)
    #expect(try test.header() == "c=3")
  }

  // MARK: Showing and keeping

  @Test func `a cookie has all fields of its header`() throws {
    let test = TestJar()
    try test.set("a=1; Domain=site.example; Path=/x; Secure; HttpOnly; SameSite=Lax; Max-Age=60")
    let cookie = try #require(try test.cookies(at: "https://site.example/x").first)
    #expect(cookie.name == "a" && cookie.value == "1" && cookie.domain == "site.example" && !cookie.isHostOnly)
    #expect(cookie.path == "/x" && cookie.isSecure && cookie.isHTTPOnly && cookie.sameSite == .lax)
    #expect(cookie.expires == test.now + 60 && cookie.creationDate == test.now)
  }

  @Test func `sending a cookie changes its last access, and reading the metadata does not`() throws {
    let test = TestJar()
    try test.set("a=1")
    let stored = test.now
    test.advance(5)
    _ = test.jar.metadata
    #expect(test.jar.metadata.map(\.lastAccessDate) == [stored])
    _ = try test.header()
    #expect(test.jar.metadata.map(\.lastAccessDate) == [test.now])
  }

  @Test func `no description prints a cookie's value`() throws {
    let test = TestJar()
    try test.jar.setCookie(minted)
    try test.set("a=raw-token; Max-Age=9")
    let cookies = try test.cookies(at: "https://today.example/api/")
    var dumped = ""
    dump(test.jar, to: &dumped)
    dump(cookies, to: &dumped)
    dump(test.jar.snapshot(), to: &dumped)
    dump(test.jar.metadata, to: &dumped)
    let texts = [
      dumped, "\(test.jar)", "\(cookies)", String(reflecting: cookies), "\(test.jar.snapshot())",
      "\(test.jar.metadata)",
      String(describing: Mirror(reflecting: minted).children.map(\.value)),
    ]
    for text in texts { #expect(!text.contains("raw-token")) }
    #expect("\(minted)" == "Cookie(embed_bearer, today.example/api/)")
  }

  @Test func `a snapshot restores persistent cookies, and no session cookies or expired ones`() throws {
    let test = TestJar()
    try test.set(
      "a=1; Max-Age=100; Path=/; Secure; HttpOnly; SameSite=Strict", "b=2", "c=3; Max-Age=10", "d=4; Max-Age=50")
    let saved = try JSONEncoder().encode(test.jar.snapshot())
    let fresh = TestJar()
    fresh.advance(20)
    try fresh.set("old=1")
    fresh.jar.restore(try JSONDecoder().decode(CookieStorageSnapshot.self, from: saved))
    #expect(try fresh.header() == "a=1; d=4")
    #expect(fresh.jar.snapshot().cookies.map(\.metadata.name) == ["a", "d"])
    let original = test.jar.metadata.filter { $0.name == "a" }
    #expect(fresh.jar.metadata.first?.creationDate == original.first?.creationDate)
    fresh.advance(80)
    #expect(try fresh.header() == "")
  }

  @Test(arguments: [
    ("name", "\"a=b\""), ("value", "\"b\\r\\nX: y\""), ("domain", "\"co.uk\""), ("domain", "\"\""), ("path", "\"x\""),
    ("expires", "1e300"), ("expires", "null"),
  ])
  func `restoring a snapshot skips impossible cookies`(_ member: String, _ value: String) throws {
    let test = TestJar()
    try test.set("a=1; Max-Age=100; Domain=site.example", "b=2; Max-Age=100")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let saved = String(decoding: try encoder.encode(test.jar.snapshot()), as: UTF8.self)
    let pattern = try Regex("\"\(member)\":(\"[^\"]*\"|[0-9.]+)")
    let changed = saved.replacing(pattern, with: "\"\(member)\":\(value)", maxReplacements: 1)
    #expect(changed != saved)
    test.jar.restore(try JSONDecoder().decode(CookieStorageSnapshot.self, from: Data(changed.utf8)))
    #expect(try test.header() == "b=2")
  }

  @Test func `a restored jar retains its limits`() throws {
    let test = TestJar()
    for number in 0..<10 { try test.set("c\(number)=1; Max-Age=100") }
    let small = TestJar(limits: CookieStorageLimits(cookiesPerDomain: 3))
    small.jar.restore(test.jar.snapshot())
    #expect(small.names == ["c7", "c8", "c9"])
  }

  @Test func `a jar can be used from many threads`() async throws {
    let jar = CookieStorage()
    let url = try #require(URL(string: "https://site.example/"))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          jar.setCookies(from: ["c\(number)=1"], url: url)
          _ = jar.cookieHeader(for: url)
        }
      }
    }
    #expect(jar.cookies(for: url).count == 50)
  }
}
