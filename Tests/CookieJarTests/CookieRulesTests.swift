import CookieJar
import Foundation
import Testing

@Suite struct CookieRulesTests {
  // MARK: Identity

  @Test func `name, domain and path identify a cookie`() throws {
    let test = TestJar()
    let url = "https://site.example/x/y"
    try test.set("a=1", "a=2", "A=3", "a=4; Path=/", "a=5; Path=/x/", at: url)
    #expect(try test.header(at: url) == "a=5; a=2; A=3; a=4")
  }

  @Test func `cookie names are compared by their bytes`() throws {
    let test = TestJar()
    try test.set("caf\u{e9}=1", "cafe\u{301}=2", "caf\u{e9}=3")
    #expect(try test.header() == "caf\u{e9}=3; cafe\u{301}=2")
  }

  @Test func `cookies without a name replace each other`() throws {
    let test = TestJar()
    try test.set("one", "=two", "=three=3")
    #expect(try test.header() == "three=3")
    #expect(test.jar.metadata.count == 1)
  }

  @Test func `replacing a cookie replaces its attributes, but not its creation date`() throws {
    let test = TestJar()
    try test.set("a=1; HttpOnly; Secure; Max-Age=100")
    let created = try #require(test.jar.metadata.first?.creationDate)
    test.advance(50)
    try test.set("a=2")
    let cookie = try #require(test.jar.metadata.first)
    #expect(cookie.creationDate == created)
    #expect(cookie.lastAccessDate == test.now)
    #expect(!cookie.isHTTPOnly && !cookie.isSecure && cookie.expires == nil)
    test.advance(100)
    #expect(try test.header() == "a=2")
  }

  // MARK: Expiry

  @Test func `Max-Age counts from now, and overrides Expires`() throws {
    let test = TestJar()
    try test.set("a=1; Max-Age=10", "b=2; Max-Age=20; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "c=3")
    test.advance(9)
    #expect(try test.header() == "a=1; b=2; c=3")
    test.advance(1)
    #expect(try test.header() == "b=2; c=3")
    test.advance(10)
    #expect(try test.header() == "c=3")
    #expect(test.names == ["c"])
  }

  @Test func `Expires is an absolute date`() throws {
    let test = TestJar()
    try test.set("a=1; Expires=Thu, 09 Oct 2025 08:53:30 GMT")
    #expect(try test.header() == "a=1")
    test.advance(10)
    #expect(try test.header() == "")
  }

  @Test(arguments: [
    "Max-Age=0", "Max-Age=-1", "Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    "Max-Age=0; Expires=Fri, 01 Jan 2038 00:00:00 GMT",
  ])
  func `an expired cookie removes the one that it replaces`(_ attributes: String) throws {
    let test = TestJar()
    try test.set("a=1", "b=2", "a=1; Path=/x")
    #expect(try test.set("a=gone; \(attributes)") == [.expired])
    #expect(try test.set("never=there; \(attributes)") == [.expired])
    #expect(try test.header(at: "https://www.site.example/x") == "a=1; b=2")
  }

  @Test(arguments: ["Expires=never", "Expires=", "Max-Age=x", "Max-Age=", "Expires"])
  func `an expiry that cannot be read leaves a session cookie`(_ attribute: String) throws {
    let test = TestJar()
    try test.set("a=1; \(attribute)")
    #expect(test.jar.metadata.map(\.expires) == [nil])
  }

  @Test(arguments: ["Max-Age=34560001", "Max-Age=99999999999999999999", "Expires=Fri, 31 Dec 9999 23:59:59 GMT"])
  func `no cookie lives longer than 400 days`(_ attribute: String) throws {
    let test = TestJar()
    try test.set("a=1; \(attribute)")
    #expect(test.jar.metadata.first?.expires == test.now.addingTimeInterval(400 * 86_400))
  }

  // MARK: Secure

  @Test(arguments: [
    ("http://site.example/", false), ("ws://site.example/", false), ("http://localhost/", false),
    ("http://127.0.0.1/", false),
    ("https://site.example/", true), ("wss://site.example/", true), ("HTTPS://site.example/", true),
  ])
  func `Secure cookies are stored and sent over secure connections only`(_ url: String, _ isSecure: Bool) throws {
    let test = TestJar()
    #expect(try test.set("a=1; Secure", at: url) == [isSecure ? .stored : .refused(.insecureConnection)])
    try test.set("b=2; Secure", at: url.replacing(/^(http|ws):/.ignoresCase(), with: { "\($0.1)s:" }))
    #expect(try test.header(at: url).contains("b=2") == isSecure)
  }

  /// The new cookie's host, its Domain and its Path, against `a=1; Secure; Domain=site.example; Path=/login`.
  @Test(arguments: [
    ("site.example", "", "/login", false), ("site.example", "; Domain=site.example", "/login", false),
    ("site.example", "", "/login/en", false), ("www.site.example", "", "/login", false),
    ("www.site.example", "; Domain=www.site.example", "/login/", false), ("site.example", "", "/", true),
    ("site.example", "", "/foo", true), ("site.example", "", "/loginx", true), ("other.example", "", "/login", true),
    ("xsite.example", "", "/login", true),
  ])
  func `an insecure connection cannot hide a Secure cookie`(
    _ host: String, _ domain: String, _ path: String, _ isStored: Bool
  ) throws {
    let test = TestJar()
    try test.set("a=1; Secure; Domain=site.example; Path=/login", at: "https://site.example/")
    let outcome = try test.set("a=2; Path=\(path)\(domain)", at: "http://\(host)/")
    #expect(outcome == [isStored ? .stored : .refused(.shadowsSecureCookie)])
    #expect(try test.set("b=2; Path=\(path)\(domain)", at: "http://\(host)/") == [.stored])
    #expect(try test.set("a=3; Path=\(path)\(domain)", at: "https://\(host)/") == [.stored])
  }

  @Test func `a domain's insecure cookie cannot hide a Secure one below it, nor expire it`() throws {
    let test = TestJar()
    try test.set("a=1; Secure", at: "https://www.site.example/")
    #expect(try test.set("a=2; Domain=site.example", at: "http://x.site.example/") == [.refused(.shadowsSecureCookie)])
    #expect(try test.set("a=; Max-Age=0", at: "http://www.site.example/") == [.refused(.shadowsSecureCookie)])
    #expect(try test.header() == "a=1")
  }

  // MARK: HttpOnly

  @Test func `scripts neither see, set, replace nor remove HttpOnly cookies`() throws {
    let test = TestJar()
    try test.set("a=1; HttpOnly", "b=2")
    #expect(try test.header(context: .script) == "b=2")
    #expect(try test.set("c=3; HttpOnly", context: .script) == [.refused(.httpOnly)])
    #expect(try test.set("a=3", context: .script) == [.refused(.httpOnly)])
    #expect(try test.set("a=3; Max-Age=0", context: .script) == [.refused(.httpOnly)])
    #expect(try test.set("b=3", "a=4; Path=/x", context: .script) == [.stored, .stored])
    #expect(try test.header() == "a=1; b=3")
  }

  // MARK: SameSite

  @Test(arguments: [
    (CookieContext.sameSite, "none; lax; strict; default"), (.crossSite, "none"),
    (CookieContext(isSameSite: false, isTopLevelNavigation: true), "none; lax; default"),
    (CookieContext(isSameSite: false, isTopLevelNavigation: true, isSafeMethod: false), "none"),
    (CookieContext(isHTTP: false, isSameSite: false, isTopLevelNavigation: true), "none"),
    (.script, "none; lax; strict; default"),
    (CookieContext(isTopLevelNavigation: true, isSafeMethod: false), "none; lax; strict; default"),
  ])
  func `SameSite decides which requests a cookie is sent with`(_ context: CookieContext, _ expected: String) throws {
    let test = TestJar()
    for (name, value) in [("none", "None"), ("lax", "Lax"), ("strict", "Strict"), ("default", "whatever")] {
      try test.set("\(name)=; Secure; SameSite=\(value)")
    }
    #expect(try test.header(context: context) == expected.replacing(";", with: "=;") + "=")
  }

  @Test(arguments: [
    (CookieContext.sameSite, true), (.crossSite, false), (.script, true),
    (CookieContext(isSameSite: false, isTopLevelNavigation: true), true),
    (CookieContext(isSameSite: false, isTopLevelNavigation: true, isSafeMethod: false), true),
    (CookieContext(isHTTP: false, isSameSite: false, isTopLevelNavigation: true), false),
  ])
  func `SameSite decides which responses may set a cookie`(_ context: CookieContext, _ isStored: Bool) throws {
    for attribute in ["; SameSite=Lax", "; SameSite=Strict", ""] {
      #expect(try TestJar().set("a=1\(attribute)", context: context) == [isStored ? .stored : .refused(.crossSite)])
    }
    #expect(try TestJar().set("a=1; Secure; SameSite=None", context: context) == [.stored])
  }

  @Test func `SameSite=None requires Secure`() throws {
    #expect(try TestJar().set("a=1; SameSite=None") == [.refused(.sameSiteNoneWithoutSecure)])
    #expect(try TestJar().set("a=1; SameSite=None; SameSite=Lax") == [.stored])
  }

  // MARK: Prefixes

  @Test(arguments: [
    ("__Secure-a=1; Secure", true), ("__Secure-a=1", false), ("__secure-a=1", false), ("__SECURE-a=1; Secure", true),
    ("__Secure-a=1; Secure; Domain=site.example; Path=/x", true), ("__Secure-", false), ("__Secure-=1", false),
    ("__Secure-=1; Secure", true), ("__Securea=1", true), ("_Secure-a=1", true), ("x__Secure-a=1", true),
    ("__Host-a=1; Secure; Path=/", true), ("__Host-a=1; Secure", false), ("__Host-a=1; Path=/", false),
    ("__Host-a=1; Secure; Path=/x", false), ("__Host-a=1; Secure; Path=/; Domain=www.site.example", false),
    ("__Host-a=1; Secure; Path=/; Domain=site.example", false), ("__host-a=1; Secure", false),
    ("__HOST-a=1; Secure; Path=/", true),
    ("__Host-a=1; Secure; Path=/; Domain=", true), ("__Host-a=1; Secure; Path=/x; Path=/", true),
    ("__Host-a=1; Secure; Path=/; HttpOnly; Max-Age=10; SameSite=Lax", true),
    ("=__Secure-a=1; Secure", false), ("=__Host-a=1; Secure; Path=/", false), ("__Host-a; Secure; Path=/", false),
    ("__HoSt-; Secure; Path=/", false), ("=__sEcUrE-; Secure", false), ("a=__Host-b", true), ("=_Host-a", true),
  ])
  func `the prefixes __Secure- and __Host- are enforced`(_ header: String, _ isStored: Bool) throws {
    #expect(try TestJar().set(header) == [isStored ? .stored : .refused(.prefix)])
  }

  @Test func `names that differ in the case of their prefix are different cookies`() throws {
    let test = TestJar()
    try test.set("__Secure-a=1; Secure", "__secure-a=2; Secure")
    #expect(try test.header() == "__Secure-a=1; __secure-a=2")
  }

  @Test func `a refused header does not affect the others`() throws {
    let test = TestJar()
    #expect(
      try test.set("a=1", "", "b=2; Domain=com", "c=3") == [
        .stored, .refused(.empty), .refused(.publicSuffix), .stored,
      ])
    #expect(try test.header() == "a=1; c=3")
  }
}
