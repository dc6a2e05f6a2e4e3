import CookieJar
import Foundation
import Testing

/// What a browser sends after what a server has set, whole exchanges at a time.
@Suite struct CookieExchangeTests {
  private static let url = "http://home.site.example:8888/shop/basket?item=1"

  /// Set-Cookie fields of one response for `url`, and the Cookie field of the next request for it.
  @Test(arguments: [
    // Names and values.
    (["foo=bar"], "foo=bar"), (["foo"], "foo"), (["foo=bar", "foo=qux"], "foo=qux"), (["a=1", "b=2"], "a=1; b=2"),
    (["b=2", "a=1"], "b=2; a=1"), (["z=y, a=b"], "z=y, a=b"), (["z=y; foo=bar, a=b"], "z=y"),
    (["foo=b;max-age=3600, c=d;path=/"], "foo=b"), (["a=b", "=", "c=d"], "a=b; c=d"),
    (["a=b", "=x", "c=d"], "a=b; x; c=d"), (["a=b", "x=", "c=d"], "a=b; x=; c=d"), (["foo", ""], "foo"),
    (["foo", "="], "foo"), (["foo", "; bar"], "foo"), (["foo", "   "], "foo"), (["foo", "\t"], "foo"),
    (["foo", "bar"], "bar"), (["foo", "=bar"], "bar"), (["=", "foo=bar"], "foo=bar"), (["===bar"], "==bar"),
    (["a= b = c "], "a=b = c"), (["\"a=b\"=c"], "\"a=b\"=c"), (["a\"=b"], "a\"=b"), (["a=\"b; c\"; d"], "a=\"b"),
    (["a=\"zzz \" \"ppp\" ;"], "a=\"zzz \" \"ppp\""), (["a=b; =c"], "a=b"), (["a=b;c=d;"], "a=b"),
    (["a\t=b", "c=\td"], "a=b; c=d"), (["a=b\u{a0}"], "a=b\u{a0}"), (["a=b\u{3000}"], "a=b\u{3000}"),
    (["!#$%&'*+-.^_`|~=1"], "!#$%&'*+-.^_`|~=1"), (["a=春节回家路·春运完全手册"], "a=春节回家路·春运完全手册"),
    (["a=<b>\"'\\/", "b=%00%0D%0A"], "a=<b>\"'\\/; b=%00%0D%0A"), (["six", "seven=", "=eight"], "eight; seven="),
    (["a=1, b=2; max-age=0", "c=3"], "c=3"), (["foo=bar; ;; ;=; ,,, ===,abc,=; Max-Age; =;;"], "foo=bar"),
    // Attributes that mean nothing, or nothing any more.
    (["foo=bar; version=1"], "foo=bar"), (["foo=bar; customvalue=\"1000 or more\";"], "foo=bar"),
    (["foo=bar; Domain=\"\""], ""), (["foo=bar; Priority=High; Partitioned"], "foo=bar"),
    (["foo=bar; Discard; Port=\"8888\"; Comment=x"], "foo=bar"), (["foo=bar; Expires Max-Age=0"], "foo=bar"),
    // A connection that is not secure.
    (["foo=bar; secure"], ""), (["foo=bar; secure=false"], ""), (["foo=bar; seCURe="], ""),
    (["foo=bar; \"secure\""], "foo=bar"), (["foo=bar; secure secure"], "foo=bar"), (["foo=bar;\u{b}secure"], ""),
    (["__Secure-foo=bar"], ""), (["__Host-foo=bar; Path=/"], ""), (["foo=bar; SameSite=None"], ""),
    (["foo=bar; HttpOnly"], "foo=bar"),
    // Time.
    (["foo=bar; Max-Age=10000;"], "foo=bar"), (["foo=bar; Max-Age=0;"], ""), (["foo=bar; Max-Age=-1"], ""),
    (["foo=bar; Max-Age=-20", "foo=qux"], "foo=qux"), (["foo=bar", "foo=; Max-Age=0"], ""),
    (["foo=bar; Max-Age = 60"], "foo=bar"), (["foo=bar; Max-Age=50,399"], "foo=bar"),
    (["foo=bar; Max-Age=\"0\""], "foo=bar"), (["foo=bar; Max-Age=0; Max-Age=60"], "foo=bar"),
    (["foo=bar; Max-Age=60; Max-Age=0"], ""), (["foo=bar; Max-Age=0; Max-Age="], ""),
    (["foo=bar; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], "foo=bar"),
    (["foo=bar; Expires=Fri, 07 Aug 2007 08:04:19 GMT"], ""),
    (["foo=bar; Expires=Fri 07 Aug 2007 08:04:19 GMT, b=c"], ""),
    (["foo=bar; Expires=Fri, 07 Aug 2035 08:04:19 GMT"], "foo=bar"),
    (["foo=bar; expires=Thu, 01-Jan-70 00:00:01 GMT"], ""),
    (["foo=bar; Expires=Fri, 07 Aug 2007"], "foo=bar"), (["foo=bar; Expires=07/08/2007"], "foo=bar"),
    (["foo=bar; Expires=Fri, 07 Aug 2035 08:04:19 GMT; Expires=Fri, 07 Aug 2007 08:04:19 GMT"], ""),
    (["foo=bar; Expires=Fri, 07 Aug 2007 08:04:19 GMT; Expires=x"], ""),
    // Whom it is for.
    (["foo=bar; domain=home.site.example"], "foo=bar"), (["foo=bar; domain=.home.site.example"], "foo=bar"),
    (["foo=bar; domain=HOME.site.Example"], "foo=bar"), (["foo=bar; domain= .site.example "], "foo=bar"),
    (["foo=bar; domain=\tsite.example\t"], "foo=bar"), (["foo=bar; domain=..site.example"], ""),
    (["foo=bar; domain=. site.example"], ""), (["foo=bar; domain=site.example."], ""),
    (["foo=bar; domain=me.site.example"], ""),
    (["foo=bar; domain=a.home.site.example"], ""), (["foo=bar; domain=home.site.example:8888"], ""),
    (["foo=bar; domain=http://home.site.example"], ""), (["foo=bar; domain=\"home.site.example\""], ""),
    (["foo=bar; domain=*.site.example"], ""), (["foo=bar; domain=ome.site.example"], ""),
    (["foo=bar; domain=.example"], ""),
    (["foo=bar; domain=example"], ""), (["foo=bar; domain="], "foo=bar"), (["foo=bar; domain"], "foo=bar"),
    (["foo=bar; domain=other.example; domain=site.example"], "foo=bar"),
    (["foo=bar; domain=site.example; domain=other.example"], ""),
    (["foo=bar; domain=other.example; domain="], "foo=bar"), (["foo=bar; domain=127.0.0.1"], ""),
    // Where it belongs.
    (["foo=bar; path=/"], "foo=bar"), (["foo=bar; path=/shop"], "foo=bar"), (["foo=bar; path=/shop/"], "foo=bar"),
    (["foo=bar; path=/shop/basket"], "foo=bar"), (["foo=bar; path=/shop/basket/"], ""),
    (["foo=bar; path=/shop/bask"], ""),
    (["foo=bar; path=/sho"], ""), (["foo=bar; path=/SHOP"], ""), (["foo=bar; path=/%73hop"], ""),
    (["foo=bar; path=/shop/../shop"], ""),
    (["foo=bar; path=//shop"], ""), (["foo=bar; path=/shop/basket?item=1"], ""), (["foo=bar; path=shop"], "foo=bar"),
    (["foo=bar; path="], "foo=bar"), (["foo=bar; path=\"/nowhere\""], "foo=bar"), (["foo=bar; path=/nowhere"], ""),
    (["foo=bar; path=/nowhere; path"], "foo=bar"), (["foo=bar; path; path=/nowhere"], ""),
    (["foo=bar;\tpath\t=\t/shop\t"], "foo=bar"),
    (["foo=bar; path=/nowhere; path=/shop"], "foo=bar"), (["foo=bar; path = / "], "foo=bar"),
    // Order: longer paths, then older cookies; a new value keeps the place.
    (["a=1; path=/", "a=2; path=/shop", "a=3; path=/shop/basket"], "a=3; a=2; a=1"),
    (["a=1; path=/shop", "b=2; path=/", "c=3; path=/shop", "a=4; path=/shop"], "a=4; c=3; b=2"),
    (["a=1", "a=2; path=/shop", "a=3; path=/shop/"], "a=3; a=2"),
    (["a=1", "b=2", "a=3; max-age=0", "a=4"], "b=2; a=4"),
    (["a=1; domain=site.example", "a=2", "a=3; domain=home.site.example"], "a=1; a=2; a=3"),
  ])
  func `the cookies of a response are sent with the next request`(_ fields: [String], _ expected: String) throws {
    let test = TestJar()
    let url = try #require(URL(string: Self.url))
    test.jar.setCookies(from: fields, url: url)
    #expect(test.jar.cookieHeader(for: url) ?? "" == expected)
    #expect(
      test.jar.cookies(for: url).map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
        == expected)
  }

  /// A cookie of `/a/b/c` without a Path belongs to `/a/b`.
  @Test(arguments: [
    ("/a/b", true), ("/a/b/", true), ("/a/b/c", true), ("/a/b/x/y", true), ("/a/b?c", true), ("/a/b#c", true),
    ("/a/bc", false),
    ("/a/", false), ("/a", false), ("", false), ("/a/b%2Fc", false), ("/A/b", false), ("/a/%62", false),
    ("/a//b", false),
  ])
  func `a cookie without a Path is sent in the folder of the request`(_ path: String, _ isSent: Bool) throws {
    let test = TestJar()
    try test.set("x=1", at: "http://site.example/a/b/c")
    #expect(try test.header(at: "http://site.example" + path) == (isSent ? "x=1" : ""))
  }

  /// As PSL data has them: ICANN's and private ones, wild cards and their exceptions, and names that no rule knows.
  @Test(arguments: [
    ("a.com", "com", false), ("a.b.com", "b.com", true), ("b.com", "b.com", true), ("a.b.example", "example", false),
    ("a.biz", "BIZ", false), ("a.uk.com", "uk.com", false), ("b.a.uk.com", "a.uk.com", true), ("a.jp", "jp", false),
    ("a.ac.jp", "ac.jp", false), ("a.kyoto.jp", "kyoto.jp", false), ("a.ide.kyoto.jp", "ide.kyoto.jp", false),
    ("b.a.ide.kyoto.jp", "a.ide.kyoto.jp", true), ("a.c.kobe.jp", "c.kobe.jp", false),
    ("a.b.c.kobe.jp", "b.c.kobe.jp", true),
    ("www.city.kobe.jp", "city.kobe.jp", true), ("www.city.kobe.jp", "kobe.jp", false), ("a.c.ck", "c.ck", false),
    ("www.www.ck", "www.ck", true), ("www.ck", "ck", false), ("a.us", "us", false), ("a.ak.us", "ak.us", false),
    ("b.a.ak.us", "a.ak.us", true), ("a.k12.ak.us", "k12.ak.us", false),
    ("a.s3.amazonaws.com", "s3.amazonaws.com", false),
    ("a.b.s3.amazonaws.com", "b.s3.amazonaws.com", true), ("me.github.io", "github.io", false),
    ("a.me.github.io", "me.github.io", true),
    ("a.xn--85x722f.com.cn", "xn--85x722f.com.cn", true), ("xn--85x722f.xn--55qx5d.cn", "xn--55qx5d.cn", false),
    ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn", true), ("a.xn--fiqs8s", "xn--fiqs8s", false),
    ("a.b.unlisted", "b.unlisted", true), ("b.unlisted", "unlisted", false), ("a.com.", "com.", false),
    ("a.co.uk.", "co.uk.", false),
    ("b.a.com.", "a.com.", true),
  ])
  func `a cookie's Domain is not accepted for a public suffix`(_ host: String, _ domain: String, _ isStored: Bool)
    throws
  {
    let test = TestJar()
    let outcome = try test.set("x=1; Domain=\(domain)", at: "https://\(host)/")
    #expect(outcome == [isStored ? .stored : .refused(.publicSuffix)])
    #expect(try test.header(at: "https://\(host)/") == (isStored ? "x=1" : ""))
  }

  @Test(arguments: ["com", "co.uk", "kobe.jp", "c.kobe.jp", "github.io", "localhost", "unlisted"])
  func `a host that is a public suffix can have host-only cookies`(_ host: String) throws {
    let test = TestJar()
    #expect(try test.set("x=1; Domain=\(host)", at: "https://\(host)/") == [.stored])
    #expect(try test.header(at: "https://\(host)/") == "x=1")
    #expect(try test.header(at: "https://sub.\(host)/") == "")
  }

  @Test(arguments: [
    ("__Http-a=1; Secure; HttpOnly", true), ("__Http-a=1; Secure", false), ("__Http-a=1; HttpOnly", false),
    ("__Http-a=1", false),
    ("__hTTP-a=1; Secure; HttpOnly; Path=/x; Domain=site.example", true), ("__Http_a=1", true),
    ("=__Http-a; Secure; HttpOnly", false),
    ("__Host-Http-a=1; Secure; HttpOnly; Path=/", true), ("__Host-Http-a=1; Secure; Path=/", false),
    ("__Host-Http-a=1; Secure; HttpOnly; Path=/x", false), ("__Host-Http-a=1; Secure; HttpOnly", false),
    ("__host-http-a=1; Secure; HttpOnly; Path=/; Domain=site.example", false),
    ("__HOST-HTTP-=1; Secure; HttpOnly; Path=/", true),
  ])
  func `the prefixes __Http- and __Host-Http- require HttpOnly`(_ header: String, _ isStored: Bool) throws {
    #expect(try TestJar().set(header) == [isStored ? .stored : .refused(.prefix)])
  }
}
