import HTTPTypes
import Testing

@testable import SiteServer

@Suite struct NativeRedirectTests {
  @Test(arguments: ["myapp://cb?code=1", "MyApp:cb", "com.example.app:/cb#token", "tel:112", "mailto:a@example.com"])
  func `a redirect to a scheme that no browser loads is for native`(location: String) {
    for status in [301, 302, 303, 307, 308] {
      #expect(NativeRedirect(.init(code: status), [.location: location] as HTTPFields)?.url == location)
    }
  }

  @Test(arguments: [
    "/next", "next", "//host/a", "?a=myapp:", "https://example.com/", "HTTP://example.com/", "data:text/html,a",
    "javascript:1", "about:blank", "blob:null/1", "", ":a", "1a:b",
  ])
  func `other redirects are for the browser`(location: String) {
    #expect(NativeRedirect(.found, [.location: location] as HTTPFields) == nil)
  }

  @Test func `only a redirect is for native, and not one with an address of any length`() {
    #expect(NativeRedirect(.ok, [.location: "myapp:a"] as HTTPFields) == nil)
    #expect(NativeRedirect(.created, [.location: "myapp:a"] as HTTPFields) == nil)
    #expect(NativeRedirect(.found, HTTPFields()) == nil)
    #expect(
      NativeRedirect(.found, [.location: "myapp:" + String(repeating: "a", count: 64 << 10)] as HTTPFields) == nil)
  }

  @Test func `the answer in place of a redirect has its cookies, and is not cached`() {
    let fields: [HTTPField] = [
      .init(name: .location, value: "myapp:a"), .init(name: .setCookie, value: "a=b"),
      .init(name: .contentLength, value: "3"), .init(name: .cacheControl, value: "max-age=60"),
    ]
    #expect(NativeRedirect.fields(insteadOf: fields) == [.setCookie: "a=b", .cacheControl: "no-store"])
  }
}
