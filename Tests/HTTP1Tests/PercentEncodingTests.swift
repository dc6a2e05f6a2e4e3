import HTTP1
import Testing

@Suite struct PercentEncodingTests {
  @Test(arguments: [
    ("", ""), ("/a", "/a"), ("/a%20b", "/a b"), ("/%41%5a%5A", "/AZZ"), ("/%c3%BC", "/ü"), ("/ü", "/ü"),
    ("/%2e%2E/", "/../"),
    ("/a%2Fb", "/a/b"), ("/%25%32%35", "/%25"), ("/a+b", "/a+b"), ("/%F0%9F%98%80", "/😀"), ("/%01", "/\u{1}"),
  ])
  func `percent escapes are decoded once`(_ path: String, _ decoded: String) {
    #expect(PercentEncoding.decode(path) == decoded)
  }

  @Test(arguments: [
    "%", "/a%", "/a%2", "/%zz", "/%2x", "/% 0", "/%+1", "/%-1", "/%00", "/a%00.html", "/\0", "/%ff", "/%c3", "/%C0%AF",
    "/%ED%A0%80", "/%F4%90%80%80", "/%e2%82", "/%u0041",
  ])
  func `malformed escapes, NUL and what is not UTF-8 are refused`(_ path: String) {
    #expect(PercentEncoding.decode(path) == nil)
    #expect(PercentEncoding.decodeSegments(ofPath: path) == nil)
  }

  @Test(arguments: [
    ("/", [""]), ("/a/b", ["a", "b"]), ("/a%20b/", ["a b", ""]), ("//a", ["", "a"]), ("/%2e%2e/.", ["..", "."]),
    ("/a\u{301}/\u{301}b", ["a\u{301}", "\u{301}b"]), ("/a%5Cb", ["a\\b"]),
  ])
  func `the segments of a path are decoded one by one`(_ path: String, _ segments: [String]) {
    #expect(PercentEncoding.decodeSegments(ofPath: path) == segments)
  }

  @Test(arguments: ["", "a", "*", "/a%2fb", "/%2F", "/..%2F..%2Fetc"])
  func `a path without a leading slash or with an escaped slash is refused`(_ path: String) {
    #expect(PercentEncoding.decodeSegments(ofPath: path) == nil)
  }
}
