import HTTP1
import HTTPTypes
import Testing

@testable import Footbridge
@testable import SiteServer

@Suite struct ListedSiteTests {
  @Test func `a listed site is served by the given server or by its own origin`() throws {
    let local = try ListedSite("https://App.example.com=http://localhost:5173/base")
    #expect(local.origin.description == "https://app.example.com" && local.upstream == "http://localhost:5173/base")
    #expect(!local.isOwnServer)
    let real = try ListedSite("https://staging.example.com/")
    #expect(real.upstream == "https://staging.example.com" && real.isOwnServer)
  }

  @Test(arguments: [
    "", "app.example.com", "ftp://app.example.com", "https://app.example.com/path", "https://*.example.com",
    "https://app.example.com=", "https://app.example.com=localhost:5173", "https://user@app.example.com",
    "=http://localhost:5173",
  ])
  func `a listed site that is not an origin or has no valid server is an error`(text: String) {
    #expect(throws: SiteError.self) { try ListedSite(text) }
  }

  @Test func `an origin that is listed twice is an error`() {
    func check(_ texts: [String]) throws { try ListedSite.check(texts.map { try ListedSite($0) }) }
    #expect(throws: SiteError.self) { try check(["https://a.example", "https://A.example:443"]) }
    #expect(throws: Never.self) { try check(["https://a.example", "http://a.example"]) }
  }
}

@Suite struct ProxyCredentialsTests {
  private func credentials(_ value: String) -> ProxyCredentials? { ProxyCredentials([.proxyAuthorization: value]) }

  @Test func `a proxy user name selects the session, and the password may have colons`() throws {
    // 0123456789abcdef0123456789abcdef:a:b
    let known = try #require(credentials("basic MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY6YTpi"))
    #expect(known.password == "a:b" && known.cookieValue == "0123456789abcdef0123456789abcdef")
    // alice:x, alice:y and :x
    let alice = try #require(credentials("Basic YWxpY2U6eA==")?.cookieValue)
    #expect(alice.count == 32 && alice == credentials("Basic YWxpY2U6eA==")?.cookieValue)
    #expect(alice != credentials("Basic YWxpY2U6eQ==")?.cookieValue)
    let nameless = try #require(credentials("Basic Ong="))
    #expect(nameless.cookieValue == nil)
  }
}

@Suite struct BrowserFlagsTests {
  @Test func `the browser flags send loopback sites through the proxy`() throws {
    let usual = BrowserFlags([try ListedSite("https://a.example")])
    #expect(
      usual.chromium(proxy: "http://127.0.0.1:1", publicKeyHashes: ["x", "y"])
        == ["--proxy-server=http://127.0.0.1:1", "--ignore-certificate-errors-spki-list=x,y"])
    #expect(
      usual.chromium(proxy: "http://127.0.0.1:1", publicKeyHashes: ["x"], runsScripts: true)
        == ["--proxy-pac-url=http://127.0.0.1:1/__footbridge/proxy.pac", "--ignore-certificate-errors-spki-list=x"])
    for origin in ["https://localhost:3000", "https://shop.localhost"] {
      for runsScripts in [false, true] {
        let flags = BrowserFlags([try ListedSite(origin)])
          .chromium(proxy: "http://p", publicKeyHashes: ["x"], runsScripts: runsScripts)
        #expect(flags.prefix(2) == ["--proxy-server=http://p", "--proxy-bypass-list=<-loopback>"])
      }
    }
  }

  @Test func `the proxy script lists the hosts and ports of the sites`() throws {
    let script = BrowserFlags(
      try ["https://a.example", "http://b.example:81", "https://c.example:8443"].map { try ListedSite($0) }
    )
    .autoConfiguration(proxy: "localhost:8080")
    for line in ["\"a.example:443\": true", "\"a.example:80\": true", "\"b.example:81\": true", "PROXY localhost:8080"]
    {
      #expect(script.contains(line))
    }
    #expect(!script.contains("c.example:80\""))
  }

  @Test func `the proxy script with only-sites leads all sites to the proxy, which refuses them`() throws {
    let script = BrowserFlags([try ListedSite("https://a.example")], onlySites: true)
      .autoConfiguration(proxy: "localhost:8080")
    #expect(script == "function FindProxyForURL() { return \"PROXY localhost:8080\"; }\n")
  }
}
