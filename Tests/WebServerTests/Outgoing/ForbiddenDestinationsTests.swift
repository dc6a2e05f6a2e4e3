import BridgeRuntime
import HTTP1
import Testing

@testable import WebServer

@BridgeActor @Suite struct ForbiddenDestinationsTests {
  private func reason(
    _ destinations: ForbiddenDestinations, against text: String, port: Int = 80, of name: String? = nil
  ) async throws -> ForbiddenDestinations.Reason? {
    destinations.reason(against: try await address(text, port: port), of: name ?? text)
  }

  private func address(_ text: String, port: Int = 80) async throws -> SocketAddress {
    let authority = text.contains(":") ? "[\(text)]:\(port)" : "\(text):\(port)"
    let origin = HTTPOrigin(isSecure: false, authority: try #require(Authority(authority)))
    return try #require(try await SocketAddress.resolve(origin).first)
  }

  @Test(arguments: [
    "169.254.169.254", "169.254.0.1", "fe80::1", "febf::1", "::ffff:169.254.169.254", "64:ff9b::169.254.169.254",
    "2002:a9fe:a9fe::1", "fd00:ec2::254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "::169.254.169.254",
    "64:ff9b:1::169.254.169.254", "64:ff9b:1:a9fe:a9:fe00::", "64:ff9b:1:1:a9:fea9:fe00:0",
  ])
  func `link-local addresses and metadata services are forbidden in every notation`(text: String) async throws {
    #expect(try await reason(.ofLocalProxy, against: text) == .linkLocal)
    #expect(try await reason(.ofRemoteProxy, against: text) == .linkLocal)
    #expect(try await reason(.none, against: text) == nil)
  }

  @Test(arguments: ["127.0.0.1", "127.1.2.3", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "localhost"])
  func `loopback destinations are allowed for a local proxy only`(text: String) async throws {
    #expect(try await reason(.ofLocalProxy, against: text, port: 9) == nil)
    #expect(try await reason(.ofRemoteProxy, against: text, port: 9) == .loopback)
  }

  @Test(arguments: ["127.0.0.1", "127.1.2.3", "0.0.0.0", "::1", "::ffff:127.0.0.1"])
  func `servers of this process are forbidden at every address of the machine`(text: String) async throws {
    let server = try HTTPServer { $0.respond(.noContent) }
    let port = try server.listen(host: "127.0.0.1", port: 0)
    #expect(try await reason(.ofLocalProxy, against: text, port: port) == .itself)
    await server.stop()
    #expect(try await reason(.ofLocalProxy, against: text, port: port) == nil)
  }

  @Test(arguments: [
    "203.0.113.7", "10.0.0.1", "192.168.1.1", "2001:db8::1", "172.16.0.1", "100.100.100.201", "64:ff9b:1::203.0.113.7",
  ])
  func `other addresses are allowed`(text: String) async throws {
    #expect(try await reason(.ofLocalProxy, against: text) == nil)
    #expect(try await reason(.ofRemoteProxy, against: text) == nil)
  }

  @Test(arguments: [
    "127.0.0.1", "::1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "100.64.0.1", "198.18.0.1", "fd12::1",
    "::ffff:10.1.2.3", "64:ff9b::10.1.2.3",
  ])
  func `a name must not stand for this machine or a private network`(text: String) async throws {
    #expect(try await reason(.ofLocalProxy, against: text, port: 9, of: "shop.example") == .privateName)
    #expect(try await reason(.ofRemoteProxy, against: text, port: 9, of: "shop.example") != nil)
    #expect(try await reason(.none, against: text, port: 9, of: "shop.example") == nil)
    for name in [text, "localhost", "LOCALHOST.", "app.localhost"] {
      #expect(try await reason(.ofLocalProxy, against: text, port: 9, of: name) == nil)
    }
  }
}
