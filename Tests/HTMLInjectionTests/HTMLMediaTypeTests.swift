import Testing

@testable import HTMLInjection

@Suite struct HTMLMediaTypeTests {
  @Test(arguments: [
    ("text/html", true), ("TEXT/HTML;charset=utf-8", true), ("application/xhtml+xml", true), ("text/plain", false),
    ("text/htmlx", false),
  ])
  func `isHTML recognizes documents by their media type without its parameters`(type: String, isHTML: Bool) {
    #expect(HTMLMediaType.isHTML(type) == isHTML)
  }
}
