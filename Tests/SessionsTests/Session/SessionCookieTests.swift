import HTTPTypes
import Testing

@testable import Sessions

@Suite struct SessionCookieTests {
  static let id = String(repeating: "0a", count: 16)

  @Test(arguments: [
    "footbridge_session=\(id)", "a=b; footbridge_session=\(id); c=d", "a=b;footbridge_session=\(id)",
  ])
  func `the session is found among other cookies`(line: String) {
    #expect(SessionCookie.value(in: [.cookie: line]) == Self.id)
  }

  @Test(arguments: [
    "", "a=b", "footbridge_session=", "footbridge_session=abc", "footbridge_session=\(id)0",
    "xfootbridge_session=\(id)",
    "footbridge_session=\(String(repeating: "0A", count: 16))",
  ])
  func `a session cookie of another form is ignored`(line: String) {
    #expect(SessionCookie.value(in: [.cookie: line]) == nil)
  }

  @Test func `the session cookie is Secure on TLS only`() {
    #expect(SessionCookie.usual.setCookie(Self.id, isSecure: true).hasSuffix("; Secure"))
    #expect(!SessionCookie.usual.setCookie(Self.id, isSecure: false).contains("Secure"))
  }

  @Test func `the session cookie is read back as it was set`() {
    let pair = SessionCookie.usual.setCookie(Self.id, isSecure: false).prefix { $0 != ";" }
    #expect(SessionCookie.value(in: [.cookie: String(pair)]) == Self.id)
  }
}
