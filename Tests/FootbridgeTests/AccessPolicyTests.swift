import HTTP1
import HTTPTypes
import Testing

@testable import Footbridge

@Suite struct AccessPolicyTests {
  private func head(host: String, origin: String? = nil) throws -> RequestHead {
    var fields: HTTPFields = [:]
    fields.append(HTTPField(name: .hostField, value: host))
    if let origin { fields.append(HTTPField(name: .origin, value: origin)) }
    let target = try #require(RequestTarget("/", method: .get))
    return try RequestHead(method: .get, target: target, fields: fields)
  }

  @Test(arguments: [
    ("localhost:8080", true), ("LOCALHOST", true), ("127.0.0.1:1", true), ("[::1]:8080", true), ("shop.example", true),
    ("evil.example", false), ("localhost.evil.example", false), ("10.0.0.1", false), ("127.0.0.1.evil.example", false),
  ])
  func `only names that the server has are answered`(host: String, isAllowed: Bool) throws {
    let policy = AccessPolicy(host: "127.0.0.1", siteHost: "Shop.example")
    #expect(policy.allowsHost(of: try head(host: host)) == isAllowed)
  }

  @Test(arguments: [("192.168.1.5:80", true), ("[fe80::1]", true), ("evil.example", false)])
  func `a server on all addresses is reached by any of them, not by a name that could be rebound`(
    host: String,
    isAllowed: Bool
  ) throws {
    #expect(AccessPolicy(host: "0.0.0.0", siteHost: nil).allowsHost(of: try head(host: host)) == isAllowed)
  }

  @Test(arguments: [
    ("http://localhost:8080", false, true), ("https://localhost:8080", false, false),
    ("https://localhost:8080", true, true),
    ("http://localhost:9090", false, false), ("http://evil.example", false, false), ("null", false, false),
    ("", false, false),
  ])
  func `a socket is opened to pages of the same origin`(origin: String, isSecure: Bool, isAllowed: Bool) throws {
    let policy = AccessPolicy(host: "127.0.0.1", siteHost: nil)
    let head = try head(host: "localhost:8080", origin: origin)
    #expect(policy.allowsOrigin(of: head, isSecure: isSecure) == isAllowed)
  }

  @Test func `a client that is no browser has no origin`() throws {
    let policy = AccessPolicy(host: "127.0.0.1", siteHost: nil)
    #expect(policy.allowsOrigin(of: try head(host: "localhost"), isSecure: false))
  }
}
