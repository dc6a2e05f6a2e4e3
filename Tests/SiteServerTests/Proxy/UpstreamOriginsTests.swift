import Testing

@testable import Footbridge
@testable import SiteServer

@Suite struct UpstreamOriginsTests {
  @Test(arguments: [
    ("http://localhost:5173/app", ["http://127.0.0.1:5173", "http://[::1]:5173", "http://localhost:5173"]),
    ("https://Staging.example", ["https://staging.example"]),
    ("http://10.0.0.1:80", ["http://10.0.0.1"]),
    (nil, []),
  ])
  func `the upstream's origins include each name of a loopback server`(proxy: String?, origins: [String]) {
    var options = SiteOptions()
    options.upstream.proxy = proxy
    #expect(options.upstreamOrigins == origins)
  }

  @Test func `the upstream's origins leave out those of listed sites`() throws {
    var options = SiteOptions()
    options.sites = [
      try ListedSite("https://app.example=http://server.example:3000"), try ListedSite("https://pay.example"),
    ]
    options.upstream.routes = ["/api": "https://pay.example", "/v2": "http://api.example:4000/v2"]
    #expect(options.upstreamOrigins == ["http://api.example:4000", "http://server.example:3000"])
  }
}
