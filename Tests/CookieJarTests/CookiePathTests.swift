import CookieJar
import Testing

@Suite struct CookiePathTests {
  @Test(arguments: [
    ("", "/"), ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/", "/a/b"), ("/a/b/c.html", "/a/b"),
    ("//", "/"), ("/a//b", "/a/"), ("/a?b/c", "/"), ("/a/b?c/d", "/a"), ("/a/b#c/d", "/a"), ("/a%2Fb/c", "/a%2Fb"),
  ])
  func `a cookie without a Path gets the request's path up to the last slash`(_ request: String, _ expected: String)
    throws
  {
    for attribute in ["", "; Path", "; Path=", "; Path=x", "; Path=/y; Path="] {
      let test = TestJar()
      try test.set("a=b\(attribute)", at: "https://site.example\(request)")
      #expect(test.jar.metadata.map(\.path) == [expected])
    }
  }

  @Test(arguments: [
    ("/", ["/", "", "/a", "/a/b", "/?x"], []),
    ("/api/", ["/api/", "/api/x", "/api/x/y", "/api/?q"], ["/api", "/apix", "/embed", "/", "/API/", "/x/api/"]),
    ("/api", ["/api", "/api/", "/api/x", "/api?q"], ["/apix", "/ap", "/", "/api.html", "/Api"]),
    ("/a/b", ["/a/b", "/a/b/c"], ["/a", "/a/", "/a/bc", "/b"]),
    ("/a%20b", ["/a%20b", "/a%20b/c"], ["/a", "/a%20bc"]),
    ("/a%2Fb", ["/a%2Fb"], ["/a/b", "/a%2fb"]),
    ("/x?y", [], ["/x?y", "/x"]),
    ("//", ["//", "//a"], ["/", "/a"]),
  ])
  func `a cookie is sent at its path and below`(_ path: String, _ included: [String], _ excluded: [String]) throws {
    let test = TestJar()
    try test.set("a=b; Path=\(path)", at: "https://site.example/elsewhere/x")
    for path in included { #expect(try test.header(at: "https://site.example\(path)") == "a=b", "\(path)") }
    for path in excluded { #expect(try test.header(at: "https://site.example\(path)") == "", "\(path)") }
  }

  @Test func `the header lists longer paths first, then older cookies; replacing one retains its place`() throws {
    let test = TestJar()
    let url = "https://site.example/a/b/c"
    try test.set(
      "one=1; Path=/", "two=2; Path=/a/b", "three=3; Path=/", "four=4; Path=/a", "five=5; Path=/a/b", at: url)
    #expect(try test.header(at: url) == "two=2; five=5; four=4; one=1; three=3")
    test.advance(10)
    try test.set("one=new; Path=/", "six=6; Path=/", at: url)
    #expect(try test.header(at: url) == "two=2; five=5; four=4; one=new; three=3; six=6")
  }

  @Test func `a cookie that was removed and set again is listed last`() throws {
    let test = TestJar()
    try test.set("one=1", "two=2", "one=; Max-Age=0", "one=again")
    #expect(try test.header() == "two=2; one=again")
  }

  @Test func `cookies of different domains are listed in order of creation`() throws {
    let test = TestJar()
    try test.set("one=1", "two=2; Domain=site.example", "three=3")
    #expect(try test.header() == "one=1; two=2; three=3")
  }
}
