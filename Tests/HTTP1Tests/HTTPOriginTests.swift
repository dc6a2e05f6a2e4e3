import HTTP1
import Testing

@Suite struct HTTPOriginTests {
  @Test(arguments: [
    ("https://Shop.Example", "https://shop.example"), ("https://shop.example:443", "https://shop.example"),
    ("http://shop.example:8080", "http://shop.example:8080"), ("HTTP://[::1]:80", "http://[::1]"),
  ])
  func `an origin is written in lower case and without a default port`(_ text: String, _ written: String) {
    #expect(HTTPOrigin(text)?.description == written)
  }

  @Test(arguments: [
    "", "shop.example", "https://", "https://shop.example/", "https://shop.example?x", "https://user@shop.example",
    "ftp://shop.example", "null", "*", "https://shop.example:0x50", "https://shop.example:65536", "//shop.example",
  ])
  func `an origin with more than scheme, host and port is refused`(_ text: String) {
    #expect(HTTPOrigin(text) == nil)
  }

  @Test(arguments: [
    ("http://shop.example", "https://shop.example"), ("http://shop.example:8443", "https://shop.example:8443"),
    ("https://shop.example", "https://shop.example"),
  ])
  func `secured has scheme https, the same host and any port that is not the default`(
    _ text: String, _ secured: String
  ) {
    #expect(HTTPOrigin(text)?.secured.description == secured)
  }
}
