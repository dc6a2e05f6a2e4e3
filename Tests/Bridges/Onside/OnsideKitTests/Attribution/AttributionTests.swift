import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

struct AttributionTests {
  @Test(
    arguments: [
      ("https://shop.example/", "", nil),
      ("https://shop.example/?utm_source=mail", "", "https://shop.example/?utm_source=mail"),
      ("https://shop.example/", "https://news.example/a?b=1", "https://news.example/a?b=1"),
      ("https://shop.example/?utm_source=x&q=1", "https://news.example/", "https://news.example/?utm_source=x"),
      (
        "https://shop.example/?utm_source=x", "https://news.example/?utm_source=y", "https://news.example/?utm_source=y"
      ),
      ("https://shop.example/a", "https://shop.example/b", nil),
      ("https://shop.example/a", "not a url", nil), ("", "", nil),
    ] as [(String, String, String?)])
  func `the referer is read from the campaign parameters or the referrer of the first visit`(
    _ url: String, _ referrer: String, _ expected: String?
  ) {
    #expect(OnsideVisit(url: url, referrer: referrer).refererURL == expected)
  }

  @Test @BridgeActor func `the first visit of a session gives the referer unless the settings do`() async throws {
    let session = TestSession()
    session.onside.noteVisit(url: "https://shop.example/", referrer: "https://first.example/")
    session.launch()
    session.onside.noteVisit(url: "https://shop.example/", referrer: "https://second.example/")
    let page = session.page()
    #expect(try await page.call("getAttributionMetadata") == ["refererUrl": "https://first.example/"])
    session.onside.settings.refererURL = "https://set.example/"
    #expect(try await page.call("getAttributionMetadata") == ["refererUrl": "https://set.example/"])
  }

  @Test @BridgeActor func `an install without a referrer succeeds without a referer URL`() async throws {
    #expect(try await TestSession().page().call("getAttributionMetadata") == [:])
  }
}
