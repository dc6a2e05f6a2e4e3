import BridgeRuntime
import HTTP1
import HTTPTypes
import Testing

@testable import Footbridge
@testable import SiteServer

@Suite struct ForwardPolicyTests {
  private let app: ListedSite
  private let plain: ListedSite
  private let sites: [ListedSite]

  init() throws {
    app = try ListedSite("https://app.example.com=http://localhost:5173")
    plain = try ListedSite("http://plain.example:8000")
    sites = [app, plain]
  }

  private func head(_ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields = [:]) throws -> RequestHead {
    var fields = fields
    if fields[.hostField] == nil { fields[.hostField] = "somewhere.example" }
    return try RequestHead(method: method, target: try #require(RequestTarget(target, method: method)), fields: fields)
  }

  private func decide(
    _ head: RequestHead, from address: String? = "127.0.0.1", onlySites: Bool = false, token: String? = nil,
    isSecure: Bool = false, tunnel: String? = nil, isOwnHost: Bool = false
  ) -> ForwardPolicy.Decision {
    ForwardPolicy(sites: sites, onlySites: onlySites, token: token.map { Secret($0) }).decision(
      for: head,
      ForwardPolicy.Circumstances(
        address: address, isSecure: isSecure, tunnel: tunnel.flatMap { Authority($0) }, isOwnHost: isOwnHost))
  }

  private func status(_ decision: ForwardPolicy.Decision) -> HTTPResponse.Status? {
    if case .refuse(let status, _) = decision { status } else { nil }
  }

  @Test func `a request without an authority in its target is served by the server itself`() throws {
    #expect(decide(try head(.get, "/")) == .own)
    #expect(decide(try head(.options, "*")) == .own)
    #expect(decide(try head(.get, "http://127.0.0.1:8080/"), isOwnHost: true) == .own)
  }

  @Test func `a CONNECT to a listed site is simulated, and any other is tunnelled or refused`() throws {
    #expect(decide(try head(.connect, "app.example.com:443")) == .simulate(app))
    #expect(decide(try head(.connect, "APP.example.com:443")) == .simulate(app))
    #expect(decide(try head(.connect, "plain.example:8000")) == .simulate(plain))
    for target in ["app.example.com:8443", "example.com:443", "plain.example:80"] {
      let authority = try #require(Authority(target))
      #expect(decide(try head(.connect, target)) == .tunnel(authority))
      #expect(status(decide(try head(.connect, target), onlySites: true)) == .forbidden)
    }
  }

  @Test func `a plain request goes to the listed site, to https or to its server`() throws {
    #expect(decide(try head(.get, "http://plain.example:8000/x")) == .site(plain))
    #expect(decide(try head(.get, "http://app.example.com/x")) == .secure(app.origin))
    let other = try #require(HTTPOrigin("http://other.example"))
    #expect(decide(try head(.post, "http://other.example/x")) == .pass(other))
    #expect(status(decide(try head(.get, "http://other.example/x"), onlySites: true)) == .forbidden)
    #expect(status(decide(try head(.get, "https://app.example.com/x"))) == .badRequest)
  }

  @Test func `a request inside of a tunnel is accepted for the tunnel's site only`() throws {
    let tunnel = "app.example.com:443"
    #expect(decide(try head(.get, "/", [.hostField: "app.example.com"]), isSecure: true, tunnel: tunnel) == .site(app))
    #expect(
      decide(try head(.get, "/", [.hostField: "app.example.com:443"]), isSecure: true, tunnel: tunnel) == .site(app))
    for host in ["127.0.0.1:8080", "app.example.com:8443", "plain.example:8000", "other.example"] {
      let head = try head(.get, "/", [.hostField: host])
      #expect(status(decide(head, isSecure: true, tunnel: tunnel)) == .misdirectedRequest)
    }
    // Inside of a tunnel, the server's own name is refused as well.
    let own = try head(.get, "http://127.0.0.1:8080/", [.hostField: "127.0.0.1:8080"])
    #expect(status(decide(own, isSecure: true, tunnel: tunnel, isOwnHost: true)) == .misdirectedRequest)
    let cleartext = try head(.get, "http://app.example.com:443/", [.hostField: "app.example.com:443"])
    #expect(status(decide(cleartext, isSecure: true, tunnel: tunnel)) == .misdirectedRequest)
    let nested = try head(.connect, "app.example.com:443", [.hostField: "app.example.com"])
    #expect(status(decide(nested, isSecure: true, tunnel: tunnel)) == .misdirectedRequest)
    // The site is listed with https. Without TLS inside of the tunnel, the origin is another one.
    #expect(status(decide(try head(.get, "/", [.hostField: "app.example.com"]), tunnel: tunnel)) == .misdirectedRequest)
  }

  @Test(arguments: [[.contentLength: "5"], [.transferEncoding: "chunked"]] as [HTTPFields])
  func `a CONNECT with a body is refused`(fields: HTTPFields) throws {
    #expect(status(decide(try head(.connect, "app.example.com:443", fields))) == .badRequest)
  }

  @Test func `a proxy request at a TLS port is refused`() throws {
    #expect(status(decide(try head(.connect, "app.example.com:443"), isSecure: true)) == .badRequest)
    #expect(status(decide(try head(.get, "http://other.example/"), isSecure: true)) == .badRequest)
  }

  @Test(arguments: ["10.0.0.1", "203.0.113.7", "fe80::1", "2001:db8::1", nil])
  func `a proxy without a password refuses other machines`(address: String?) throws {
    for target in ["app.example.com:443", "other.example:443"] {
      #expect(status(decide(try head(.connect, target), from: address)) == .forbidden)
    }
    #expect(status(decide(try head(.get, "http://other.example/"), from: address)) == .forbidden)
    #expect(decide(try head(.get, "/"), from: address) == .own)
  }

  @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
  func `a proxy without a password accepts this machine`(address: String) throws {
    #expect(decide(try head(.connect, "app.example.com:443"), from: address) == .simulate(app))
  }

  @Test func `a proxy with a password requires it from every client`() throws {
    // user:secret, user:wrong, secret alone, malformed ones.
    let right: HTTPFields = [.proxyAuthorization: "Basic dXNlcjpzZWNyZXQ="]
    #expect(
      decide(try head(.connect, "app.example.com:443", right), from: "10.0.0.1", token: "secret") == .simulate(app))
    for value in [nil, "Basic dXNlcjp3cm9uZw==", "Basic c2VjcmV0", "Bearer secret", "Basic !!!", "Basic", ""] {
      var fields = HTTPFields()
      fields[.proxyAuthorization] = value
      #expect(decide(try head(.connect, "app.example.com:443", fields), token: "secret") == .challenge)
      #expect(decide(try head(.get, "http://plain.example:8000/", fields), token: "secret") == .challenge)
    }
    var twice = right
    twice.append(HTTPField(name: .proxyAuthorization, value: "Basic dXNlcjpzZWNyZXQ="))
    #expect(decide(try head(.connect, "app.example.com:443", twice), token: "secret") == .challenge)
  }
}
