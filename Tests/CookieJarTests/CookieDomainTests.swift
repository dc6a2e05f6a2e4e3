import CookieJar
import Testing

@Suite struct CookieDomainTests {
  /// Request host, Domain attribute, and who gets the cookie and who does not.
  @Test(arguments: [
    (
      "www.site.example", "site.example", ["www.site.example", "site.example", "a.b.site.example"],
      ["example", "xsite.example"]
    ),
    ("www.site.example", ".site.example", ["www.site.example", "site.example"], ["othersite.example"]),
    ("www.site.example", "www.site.example", ["www.site.example", "a.www.site.example"], ["site.example"]),
    ("www.site.example", "WWW.Site.EXAMPLE", ["www.site.example", "a.www.site.example"], ["site.example"]),
    ("WWW.SITE.EXAMPLE", "site.example", ["www.site.example", "SITE.example"], []),
    ("site.example", "", ["site.example"], ["www.site.example"]),
    ("site.example", ".", ["site.example"], ["www.site.example"]),
    ("site.example", "other.example; Domain=site.example", ["www.site.example"], ["other.example"]),
    ("site.example", "site.example; Domain=", ["site.example"], ["www.site.example"]),
    ("a.co.uk", "a.co.uk", ["a.co.uk", "b.a.co.uk"], ["b.co.uk"]),
    ("a.b.site.example", "b.site.example", ["b.site.example", "c.b.site.example"], ["c.site.example"]),
    ("site.example.", "site.example.", ["www.site.example."], ["site.example"]),
    ("127.0.0.1", "127.0.0.1", ["127.0.0.1"], ["1.127.0.0.1"]),
    ("127.0.0.1", ".127.0.0.1", ["127.0.0.1"], []),
    ("localhost", "localhost", ["localhost"], ["a.localhost"]),
    ("co.uk", "co.uk", ["co.uk"], ["a.co.uk"]),
    ("github.io", ".github.io", ["github.io"], ["me.github.io"]),
    ("me.github.io", "me.github.io", ["me.github.io", "x.me.github.io"], ["you.github.io"]),
    ("a_b.site.example", "site.example", ["site.example"], []),
    (
      "xn--mnchen-3ya.example", "xn--mnchen-3ya.example", ["münchen.example", "a.MÜNCHEN.example"], ["munchen.example"]
    ),
    ("münchen.example", "xn--mnchen-3ya.example", ["xn--mnchen-3ya.example"], []),
  ])
  func `a Domain attribute decides who gets the cookie`(
    _ host: String, _ domain: String, _ included: [String], _ excluded: [String]
  ) throws {
    let test = TestJar()
    #expect(try test.set("a=b; Domain=\(domain)", at: "https://\(host)/") == [.stored])
    for host in included { #expect(try test.header(at: "https://\(host)/") == "a=b", "\(host)") }
    for host in excluded { #expect(try test.header(at: "https://\(host)/") == "", "\(host)") }
  }

  @Test(arguments: [
    ("www.site.example", "other.example"), ("site.example", "www.site.example"), ("www.site.example", "ite.example"),
    ("www.site.example", "..site.example"), ("www.site.example", "site.example."),
    ("www.site.example", "www.site.example:443"),
    ("www.site.example", "https://site.example"), ("www.site.example", "site.example/"),
    ("www.site.example", "\"site.example\""),
    ("www.site.example", "*.site.example"), ("www.site.example", "site .example"), ("127.0.0.1", "0.0.1"),
    ("127.0.0.1", "0.1"), ("1.2.3.4", "3.4"), ("[::1]", "1"), ("[::1]", "[::1]"),
    ("münchen.example", "münchen.example"),
    ("www.münchen.example", "münchen.example"), ("site.example.", "site.example"), ("www.site.example", "sité.example"),
    ("www.site.example", "site.example, www.site.example"), ("www.site.example", "x.example; Domain=y.example"),
  ])
  func `a Domain that the host does not belong to refuses the cookie`(_ host: String, _ domain: String) throws {
    let test = TestJar()
    #expect(try test.set("a=b; Domain=\(domain)", at: "https://\(host)/") == [.refused(.foreignDomain)])
    #expect(test.names.isEmpty)
  }

  @Test(arguments: [
    ("a.co.uk", "co.uk"), ("a.co.uk", ".uk"), ("www.site.example", "example"), ("me.github.io", "github.io"),
    ("foo.localhost", "localhost"), ("a.kawasaki.jp", "kawasaki.jp"), ("site.com", "COM"),
    ("a.xn--55qx5d.cn", "xn--55qx5d.cn"),
    ("site.com", "org"),
  ])
  func `a Domain that is a public suffix refuses the cookie`(_ host: String, _ domain: String) throws {
    #expect(try TestJar().set("a=b; Domain=\(domain)", at: "https://\(host)/") == [.refused(.publicSuffix)])
  }

  @Test(arguments: [
    "site.example", "127.0.0.1", "[::1]", "localhost", "com", "a.b.c.d.example", "münchen.example", "1.2.3",
  ])
  func `without a Domain the cookie is the host's alone`(_ host: String) throws {
    let test = TestJar()
    try test.set("a=b", at: "https://\(host)/")
    #expect(try test.header(at: "https://\(host)/") == "a=b")
    #expect(try test.header(at: "https://x.site.example/") == "")
    #expect(test.jar.metadata.map(\.isHostOnly) == [true])
  }

  @Test func `a host-only cookie and a domain cookie of one name are both sent`() throws {
    let test = TestJar()
    try test.set("a=host", "a=domain; Domain=site.example", at: "https://site.example/")
    #expect(try test.header(at: "https://site.example/") == "a=host; a=domain")
    #expect(try test.header(at: "https://www.site.example/") == "a=domain")
  }

  @Test func `ports do not separate cookies, nor do HTTP and WebSocket`() throws {
    let test = TestJar()
    try test.set("a=b", at: "http://site.example:8080/")
    for url in ["http://site.example/", "https://site.example:8443/", "ws://site.example:1/", "wss://site.example/"] {
      #expect(try test.header(at: url) == "a=b")
    }
  }

  @Test(arguments: [
    "ftp://site.example/", "file:///x", "data:text/plain,x", "site.example", "http:///x", "about:blank",
  ])
  func `URLs of other schemes have no cookies`(_ url: String) throws {
    let test = TestJar()
    #expect(try test.set("a=b", at: url) == [.refused(.unusableURL)])
    #expect(try test.header(at: url) == "")
  }
}
