import HTTP1
import HTTPTypes
import Testing

@testable import Footbridge
@testable import Sessions
@testable import SiteServer

@Suite struct AccessPolicyTests {
  /// The policy of a server that listens on 8080, and with TLS on 8443.
  private func policy(
    host: String = "127.0.0.1",
    siteOrigin: String? = nil,
    allowedHosts: [String] = [],
    allowedOrigins: [String] = []
  ) throws -> AccessPolicy {
    var policy = AccessPolicy(
      host: host, siteOrigin: try siteOrigin.map { try SessionOptions.siteOrigin($0) },
      hosts: try allowedHosts.map { try AllowedHost($0) },
      origins: try allowedOrigins.map { try SessionOptions.allowedOrigin($0) })
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
  func `a host name is accepted only if it is the server's`(host: String, isAllowed: Bool) throws {
    #expect(try allowsHost(host, policy()) == isAllowed)
  }

  @Test(arguments: [
    ("localhost:8080", false, true), ("localhost:8443", true, true), ("localhost:8443", false, false),
    ("localhost:8080", true, false), ("localhost", false, false), ("localhost:", true, false),
    ("localhost:80", false, false), ("127.0.0.1:1", false, false),
  ])
  func `a host name is accepted at its listener's port only`(host: String, isSecure: Bool, isAllowed: Bool) throws {
    #expect(try allowsHost(host, isSecure: isSecure, policy()) == isAllowed)
  }

  @Test func `the default port of the scheme may be left out`() throws {
    var policy = AccessPolicy(host: "127.0.0.1", siteOrigin: nil, hosts: [], origins: [])
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
  func `an allowed host is accepted at the server's ports, the default ports or the given port`(
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
  func `a server on all addresses accepts any IP address, but not other names`(
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
  func `only pages of the server's own origins are accepted`(origin: String, isAllowed: Bool) throws {
    let head = try head([("Origin", origin)])
    #expect(try policy().allowsOrigin(of: head, isSecure: false) == isAllowed)
  }

  @Test(arguments: [
    ("http://192.168.1.5:8080", true), ("http://203.0.113.5:8080", false), ("https://192.168.1.5:8080", false),
  ])
  func `a server on all addresses accepts only the origin of the requested address`(
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
  func `pages of allowed origins and allowed hosts are accepted`(origin: String, isAllowed: Bool) throws {
    let policy = try policy(allowedHosts: ["dev.example"], allowedOrigins: ["http://localhost:5173"])
    #expect(policy.allowsOrigin(of: try head([("Origin", origin)]), isSecure: false) == isAllowed)
  }

  @Test(arguments: [
    ([], true), (["none"], true), (["same-origin"], true), (["cross-site"], false), (["same-site"], false),
  ])
  func `a request without Origin is accepted unless Sec-Fetch-Site names another site`(
    site: [String],
    isAllowed: Bool
  ) throws {
    let head = try head(site.map { ("Sec-Fetch-Site", $0) })
    #expect(try policy().allowsOrigin(of: head, isSecure: false) == isAllowed)
  }

  @Test func `a request with two Origin fields is refused`() throws {
    let head = try head([("Origin", "http://localhost:8080"), ("Origin", "http://localhost:8080")])
    #expect(try !policy().allowsOrigin(of: head, isSecure: false))
  }

  @Test(arguments: ["", "a b", "http://dev.example", "dev.example/x", "dev.example:port", "*", "*.dev.example"])
  func `an allowed host that is not a name is an error`(text: String) {
    #expect(throws: SiteError.allowedHostInvalid(text)) { try policy(allowedHosts: [text]) }
  }

  @Test(arguments: ["", "localhost:5173", "null", "*", "http://localhost:5173/x", "ftp://localhost"])
  func `an allowed origin that is not an origin is an error`(text: String) {
    #expect(throws: OptionError.self) { try policy(allowedOrigins: [text]) }
  }
}
