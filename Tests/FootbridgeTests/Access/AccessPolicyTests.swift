import HTTP1
import HTTPTypes
import Testing

@testable import Footbridge
@testable import Sessions

@Suite struct AccessPolicyTests {
  /// The policy of a server that listens on 8080, and with TLS on 8443.
  private func policy(
    host: String = "127.0.0.1",
    siteOrigin: String? = nil,
    allowedHosts: [String] = [],
    allowedOrigins: [String] = []
  ) throws -> AccessPolicy {
    var policy = try AccessPolicy(host: host, siteOrigin: siteOrigin, hosts: allowedHosts, origins: allowedOrigins)
    policy.listens(on: 8080, isSecure: false)
    policy.listens(on: 8443, isSecure: true)
    return policy
  }

  private func head(host: String = "localhost:8080", _ fields: [(String, String)] = []) throws -> RequestHead {
    var all: HTTPFields = [:]
    all.append(HTTPField(name: .hostField, value: host))
    for (name, value) in fields { all.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
    let target = try #require(RequestTarget("/", method: .get))
    return try RequestHead(method: .get, target: target, fields: all)
  }

  private func allowsHost(_ host: String, isSecure: Bool = false, _ policy: AccessPolicy) throws -> Bool {
    policy.allowsHost(try #require(Authority(host)), isSecure: isSecure)
  }

  @Test(arguments: [
    ("localhost:8080", true), ("LOCALHOST:8080", true), ("127.0.0.1:8080", true), ("127.8.9.10:8080", true),
    ("[::1]:8080", true), ("evil.example:8080", false), ("localhost.evil.example:8080", false),
    ("127.0.0.1.evil.example:8080", false), ("127.evil.example:8080", false), ("10.0.0.1:8080", false),
    ("[::2]:8080", false), ("0.0.0.0:8080", false),
  ])
  func `only names that the server has are answered`(host: String, isAllowed: Bool) throws {
    #expect(try allowsHost(host, policy()) == isAllowed)
  }

  @Test(arguments: [
    ("localhost:8080", false, true), ("localhost:8443", true, true), ("localhost:8443", false, false),
    ("localhost:8080", true, false), ("localhost", false, false), ("localhost:", true, false),
    ("localhost:80", false, false), ("127.0.0.1:1", false, false),
  ])
  func `a name is answered at the listener's own port only`(host: String, isSecure: Bool, isAllowed: Bool) throws {
    #expect(try allowsHost(host, isSecure: isSecure, policy()) == isAllowed)
  }

  @Test func `a port that is the scheme's own need not be written`() throws {
    var policy = try AccessPolicy(host: "127.0.0.1", siteOrigin: nil, hosts: [], origins: [])
    policy.listens(on: 80, isSecure: false)
    policy.listens(on: 443, isSecure: true)
    for isSecure in [false, true] { #expect(try allowsHost("localhost", isSecure: isSecure, policy)) }
    #expect(try !allowsHost("localhost:443", policy))
  }

  @Test(arguments: [
    ("dev.example:8080", true), ("dev.example", true), ("dev.example:443", true), ("dev.example:9090", false),
    ("localhost:9090", true), ("localhost:9091", false), ("sub.dev.example:8080", false),
    ("today.example", true), ("today.example:8080", true), ("today.example:4430", true), ("today.example:4431", false),
  ])
  func `names that were added are answered at the server's port, the schemes' or the one that was added`(
    host: String,
    isAllowed: Bool
  ) throws {
    let policy = try policy(
      siteOrigin: "https://Today.example:4430", allowedHosts: ["Dev.example", "localhost:9090"])
    #expect(try allowsHost(host, policy) == isAllowed)
  }

  @Test(arguments: [
    ("192.168.1.5:8080", true), ("[fe80::1]:8080", true), ("192.168.1.5:80", false), ("evil.example:8080", false),
    ("1.2.3.4.5:8080", false),
  ])
  func `a server on all addresses is reached by any of them, not by a name that could be rebound`(
    host: String,
    isAllowed: Bool
  ) throws {
    #expect(try allowsHost(host, policy(host: "0.0.0.0")) == isAllowed)
  }

  @Test(arguments: [
    ("http://localhost:8080", true), ("https://localhost:8443", true), ("http://127.0.0.1:8080", true),
    ("http://[::1]:8080", true), ("https://localhost:8080", false), ("http://localhost:8443", false),
    ("http://localhost", false), ("http://localhost:9090", false), ("http://localhost:8080/", false),
    ("http://evil.example", false), ("http://evil.example:8080", false), ("http://203.0.113.5:8080", false),
    ("http://localhost:8080.evil.example", false), ("http://localhost:8080@evil.example", false),
    ("null", false), ("", false), ("file://", false), ("chrome-extension://abcdefgh", false),
  ])
  func `pages of origins that the server serves are let in, and no others`(origin: String, isAllowed: Bool) throws {
    let head = try head([("Origin", origin)])
    #expect(try policy().allowsOrigin(of: head, isSecure: false) == isAllowed)
  }

  @Test(arguments: [
    ("http://192.168.1.5:8080", true), ("http://203.0.113.5:8080", false), ("https://192.168.1.5:8080", false),
  ])
  func `on all addresses a page is one of ours only at the address that the request is for`(
    origin: String,
    isAllowed: Bool
  ) throws {
    let head = try head(host: "192.168.1.5:8080", [("Origin", origin)])
    #expect(try policy(host: "0.0.0.0").allowsOrigin(of: head, isSecure: false) == isAllowed)
  }

  @Test(arguments: [
    ("http://localhost:5173", true), ("HTTP://LOCALHOST:5173", true), ("https://localhost:5173", false),
    ("http://localhost:5174", false), ("https://dev.example", true), ("https://dev.example:8443", true),
    ("https://dev.example:4444", false),
  ])
  func `pages of origins and behind names that were added are let in`(origin: String, isAllowed: Bool) throws {
    let policy = try policy(allowedHosts: ["dev.example"], allowedOrigins: ["http://localhost:5173"])
    #expect(policy.allowsOrigin(of: try head([("Origin", origin)]), isSecure: false) == isAllowed)
  }

  @Test(arguments: [
    ([], true), (["none"], true), (["same-origin"], true), (["cross-site"], false), (["same-site"], false),
  ])
  func `a client without an origin is let in unless its browser says that another site is behind it`(
    site: [String],
    isAllowed: Bool
  ) throws {
    let head = try head(site.map { ("Sec-Fetch-Site", $0) })
    #expect(try policy().allowsOrigin(of: head, isSecure: false) == isAllowed)
  }

  @Test func `two origins are none`() throws {
    let head = try head([("Origin", "http://localhost:8080"), ("Origin", "http://localhost:8080")])
    #expect(try !policy().allowsOrigin(of: head, isSecure: false))
  }

  @Test(arguments: ["", "a b", "http://dev.example", "dev.example/x", "dev.example:port", "*", "*.dev.example"])
  func `what is no name is refused`(text: String) {
    #expect(throws: FootbridgeError.allowedHostInvalid(text)) { try policy(allowedHosts: [text]) }
  }

  @Test(arguments: ["", "localhost:5173", "null", "*", "http://localhost:5173/x", "ftp://localhost"])
  func `what is no origin is refused`(text: String) {
    #expect(throws: FootbridgeError.allowedOriginInvalid(text)) { try policy(allowedOrigins: [text]) }
  }
}
