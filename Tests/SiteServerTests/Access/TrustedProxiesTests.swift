import HTTP1
import HTTPTypes
import Testing
import WebServer

@testable import Footbridge
@testable import SiteServer

@Suite struct TrustedProxiesTests {
  private let proxies: TrustedProxies

  init() throws {
    proxies = try TrustedProxies(["10.0.0.0/8", "fd00::1"])
  }

  private func original(_ fields: [(String, String)], from peer: String? = "10.0.0.1") throws -> ForwardedRequest? {
    var list = [HTTPField(name: .hostField, value: "inside:8080")]
    for (name, value) in fields { list.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
    let target = try #require(RequestTarget("/", method: .get))
    return try proxies.original(
      of: RequestHead(method: .get, target: target, fields: HTTPFields(inOrder: list)), from: peer)
  }

  private let usual = [
    ("X-Forwarded-For", "203.0.113.7"), ("X-Forwarded-Host", "shop.example"), ("X-Forwarded-Proto", "https"),
  ]

  @Test(arguments: ["10.0.0.1", "10.255.0.1", "::ffff:10.1.1.1", "fd00::1"])
  func `the forwarding fields of a trusted proxy are used`(peer: String) throws {
    let request = try #require(try original(usual, from: peer))
    #expect(request.address == "203.0.113.7")
    #expect(request.authority?.rawValue == "shop.example")
    #expect(request.isSecure == true)
  }

  @Test(arguments: ["11.0.0.1", "127.0.0.1", "fd00::2", nil])
  func `the forwarding fields of any other peer are ignored`(peer: String?) throws {
    #expect(try original(usual, from: peer) == nil)
    #expect(try original([("X-Forwarded-Proto", "gopher"), ("Forwarded", "\"")], from: peer) == nil)
  }

  @Test func `a trusted proxy without forwarding fields changes nothing`() throws {
    #expect(try original([]) == nil)
    #expect(try original([("Forwarded", "")]) == nil)
    let request = try #require(try original([("X-Forwarded-Proto", "https")]))
    #expect(request.address == "10.0.0.1" && request.authority == nil && request.isSecure == true)
  }

  @Test(arguments: [
    ("203.0.113.7", "203.0.113.7"), ("198.51.100.1, 203.0.113.7", "203.0.113.7"),
    ("203.0.113.7, 10.0.0.2", "203.0.113.7"), ("10.9.9.9, 203.0.113.7, 10.0.0.3, 10.0.0.2", "203.0.113.7"),
    ("10.0.0.3, 10.0.0.2", "10.0.0.3"), ("203.0.113.7:4711", "203.0.113.7"), ("unknown", nil),
    ("203.0.113.7, unknown", nil), ("203.0.113.7, evil", nil),
  ])
  func `the client is the last address that is not a trusted proxy`(list: String, address: String?) throws {
    #expect(try #require(try original([("X-Forwarded-For", list)])).address == address)
  }

  @Test func `values that the client sent before its proxy's are ignored`() throws {
    let fields = [
      ("X-Forwarded-For", "127.0.0.1, 203.0.113.7"), ("X-Forwarded-Host", "evil.example, shop.example"),
      ("X-Forwarded-Proto", "https, http"),
    ]
    let request = try #require(try original(fields))
    #expect(request.authority?.rawValue == "shop.example" && request.isSecure == false)
    // Some proxies do not add to all of these fields.
    let replaced = [("X-Forwarded-For", "127.0.0.1, 203.0.113.7"), ("X-Forwarded-Host", "shop.example")]
    #expect(try #require(try original(replaced)).authority?.rawValue == "shop.example")
  }

  @Test func `of two trusted proxies the outer one's values are used`() throws {
    let fields = [
      ("X-Forwarded-For", "203.0.113.7, 10.0.0.2"), ("X-Forwarded-Host", "shop.example, inner"),
      ("X-Forwarded-Proto", "https, http"),
    ]
    let request = try #require(try original(fields))
    #expect(request.authority?.rawValue == "shop.example" && request.isSecure == true)
  }

  @Test(arguments: [
    #"for=203.0.113.7;host=shop.example;proto=https"#,
    #"For="203.0.113.7:4711" ; HOST="shop.example" ; Proto=HTTPS; by=10.0.0.1"#,
    #"for=evil;host=evil.example;proto=http, for=203.0.113.7;host=shop.example;proto=https"#,
    #"for=203.0.113.7;host=shop.example;proto=https, for=10.0.0.2;host=inner;proto=http"#,
    #"for=203.0.113.7;host=shop.example;proto=https,for=10.0.0.2"#,
    #", ;;for=203.0.113.7;;host="shop\.example";proto=https;, "#,
  ])
  func `the Forwarded field gives address, host and scheme`(value: String) throws {
    let request = try #require(try original([("Forwarded", value)]))
    #expect(request.address == "203.0.113.7")
    #expect(request.authority?.rawValue == "shop.example")
    #expect(request.isSecure == true)
  }

  @Test func `the Forwarded field may have several lines and an obfuscated client`() throws {
    let lines = [("Forwarded", "for=127.0.0.1"), ("Forwarded", #"for="[2001:db8::1]:80""#)]
    #expect(try #require(try original(lines)).address == "2001:db8::1")
    let hidden = try #require(try original([("Forwarded", "for=_hidden;proto=https")]))
    #expect(hidden.address == nil && hidden.isSecure == true)
  }

  @Test(arguments: [
    ("X-Forwarded-Proto", "gopher"), ("X-Forwarded-Host", "a b"), ("X-Forwarded-Host", "a/b"),
    ("Forwarded", "for"), ("Forwarded", "for=\"a"), ("Forwarded", "for=a b=c"), ("Forwarded", "=a"),
    ("Forwarded", "for=;host=a"), ("Forwarded", "proto=file"), ("Forwarded", "host=\"a b\""),
  ])
  func `a malformed forwarding field is refused`(name: String, value: String) {
    #expect(throws: ForwardedDefect.self) { try original([(name, value)]) }
  }

  @Test(arguments: ["proto=http", "host=other.example", "for=198.51.100.1"])
  func `contradicting Forwarded and X-Forwarded fields are refused`(value: String) {
    #expect(throws: ForwardedDefect.contradiction) { try original(usual + [("Forwarded", value)]) }
  }

  @Test func `agreeing Forwarded and X-Forwarded fields are accepted, and X-Forwarded wins`() throws {
    let both = usual + [("Forwarded", "for=203.0.113.7;host=SHOP.example;proto=https")]
    #expect(try original(both) == original(usual))
    let partly = [("X-Forwarded-For", "203.0.113.7"), ("Forwarded", "for=203.0.113.7;host=evil.example")]
    #expect(try #require(try original(partly)).authority == nil)
  }

  @Test func `a trusted proxy that is not an address is an error`() {
    #expect(throws: SiteError.trustedProxyInvalid("proxy")) { try TrustedProxies(["10.0.0.1", "proxy"]) }
  }
}
