import Testing

@testable import WebServer

@Suite struct MediaTypeTests {
  @Test(arguments: [
    ("a.HTML", "text/html; charset=utf-8"), ("a/b.min.js", "text/javascript; charset=utf-8"), ("a.woff2", "font/woff2"),
    ("a", "application/octet-stream"), ("a.unknown", "application/octet-stream"),
    ("a.js/b", "application/octet-stream"),
  ])
  func `the media type is chosen by the extension`(name: String, type: String) {
    #expect(MediaType.of(fileName: name) == type)
  }
}
