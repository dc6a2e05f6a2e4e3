import HTTPTypes
import Testing

@testable import Sessions

@Suite struct SessionCookieTests {
  static let id = String(repeating: "0a", count: 16)

  @Test(arguments: [
    "footbridge_session=\(id)", "a=b; footbridge_session=\(id); c=d", "a=b;footbridge_session=\(id)",
  ])
  func `the session is found among other cookies`(line: String) {
    #expect(SessionCookie.value(in: [.cookie: line], isSecure: false) == Self.id)
  }

  @Test(arguments: [
    "", "a=b", "footbridge_session=", "footbridge_session=abc", "footbridge_session=\(id)0",
    "xfootbridge_session=\(id)",
    "footbridge_session=\(String(repeating: "0A", count: 16))",
  ])
  func `a session cookie of another form is ignored`(line: String) {
    #expect(SessionCookie.value(in: [.cookie: line], isSecure: false) == nil)
  }

  @Test func `the session cookie is Secure on TLS only`() {
    #expect(SessionCookie.usual.setCookie(Self.id, isSecure: true).hasSuffix("; Secure"))
    #expect(!SessionCookie.usual.setCookie(Self.id, isSecure: false).contains("Secure"))
  }

  @Test func `the session cookie is read back as it was set`() {
    let pair = SessionCookie.usual.setCookie(Self.id, isSecure: false).prefix { $0 != ";" }
    #expect(SessionCookie.value(in: [.cookie: String(pair)], isSecure: false) == Self.id)
  }

  @Test func `the cookie of https has a name that http cannot set`() {
    let field = SessionCookie.usual.setCookie(Self.id, isSecure: true)
    #expect(field == "__Host-footbridge_session=\(Self.id); Path=/; HttpOnly; SameSite=Lax; Secure")
  }

  @Test(arguments: [true, false])
  func `the cookie of the request's scheme decides`(isSecure: Bool) {
    let other = String(repeating: "1b", count: 16)
    let lines = ["\(name(isSecure))=\(Self.id)", "\(name(!isSecure))=\(other)"]
    for line in [lines, lines.reversed()] {
      #expect(SessionCookie.value(in: [.cookie: line.joined(separator: "; ")], isSecure: isSecure) == Self.id)
    }
    #expect(SessionCookie.value(in: [.cookie: lines[1]], isSecure: isSecure) == other)
  }

  @Test func `an upstream server neither gets nor sets the cookies of both schemes`() {
    for isSecure in [true, false] {
      let field = HTTPField(name: .cookie, value: "a=b; \(name(isSecure))=\(Self.id)")
      #expect(SessionCookie.usual.removed(from: field)?.value == "a=b")
      #expect(SessionCookie.usual.isSet(by: HTTPField(name: .setCookie, value: "\(name(isSecure))=x")))
    }
  }

  private func name(_ isSecure: Bool) -> String { SessionCookie.usual.name(isSecure: isSecure) }
}
