import BridgeCore
import BridgeRuntime
import Footbridge
import FootbridgeTesting
import OnsideKit
import Testing

/// A program's own code for launches and pages: which session it works for.
@Suite(.timeLimit(.minutes(5))) @BridgeActor struct HostCodeTests {
  /// Keeps what a program was called with.
  private final class Calls: Sendable {
    @BridgeActor var launches: [Onside] = []
    @BridgeActor var current: [Onside?] = []

    @BridgeActor func noteCurrent() { current.append(Onside.current) }
  }

  @Test func `host code from makeHost uses the session of its page`() async throws {
    let calls = Calls()
    try await TestServer.run { options in
      options.onside = try shop()
      options.onLaunch = { calls.launches.append($0) }
      options.makeHost = {
        calls.noteCurrent()
        let host = BridgeHost(hostVersion: "7.0")
        host.registerCustomCapability("shop.country") { _, responder in
          let country = await Onside.defaultPaymentQueue().storefront?.countryCode
          responder.respond(status: .success, data: ["country": country.map { .string($0) } ?? .null], error: nil)
        }
        return host
      }
    } _: { server in
      let page = try await server.openPage()
      let other = server.makeSession(name: "second device")
      let otherPage = try await other.openPage()
      // The first host is for no page: the server learns from it what documents begin with.
      let current = calls.current.dropFirst().map { $0.map(ObjectIdentifier.init) }
      #expect(current == calls.launches.map(ObjectIdentifier.init))
      #expect(calls.launches.count == 2)

      async let login = otherPage.call("onside.requestLogin")
      try await other.sheet("login").approve()
      _ = try await login
      #expect(try await page.call("shop.country")["country"] == .null)
      #expect(try await otherPage.call("shop.country")["country"] == "US")
    }
  }

  @Test func `onLaunch gets each launch as the current session before its first page`() async throws {
    let calls = Calls()
    try await TestServer.run { options in
      options.onside = try shop()
      options.onLaunch = { onside in
        calls.launches.append(onside)
        calls.noteCurrent()
      }
      options.onPage = { _ in calls.noteCurrent() }
    } _: { server in
      try await server.openPage()
      server.session.relaunch()
      try await server.openPage()
      let launches = calls.launches.map(ObjectIdentifier.init)
      #expect(launches.count == 2 && launches[0] != launches[1])
      let current = calls.current.map { $0.map(ObjectIdentifier.init) }
      #expect(current == [launches[0], launches[0], launches[1], launches[1]])
    }
  }

  @Test func `the messages that hosts store for a program have a limit in all, until their pages have gone`()
    async throws
  {
    let hosts = Hosts()
    try await TestServer.run { options in
      options.limits.web.totalBytes = 1_000_000
      options.onPage = { hosts.all.append($0) }
    } _: { server in
      var sessions: [TestSession] = []
      @BridgeActor func stored() -> [Int] { hosts.all.map { $0.receivedMessages.reduce(0) { $0 + $1.byteCount } } }
      for number in 0..<20 {
        sessions.append(server.makeSession(name: "\(number)"))
        let page = try await sessions[number].openPage()
        for _ in 0..<3 {
          _ = try await page.call("capability.query", ["text": .string(String(repeating: "a", count: 100_000))])
        }
      }
      #expect((600_000...1_000_000).contains(stored().reduce(0, +)))
      for session in sessions { session.relaunch() }
      let page = try await server.openPage()
      _ = try await page.call("capability.query", ["text": .string(String(repeating: "a", count: 400_000))])
      #expect((stored().last ?? 0) > 400_000)
    }
  }

  /// The hosts of the pages.
  private final class Hosts: Sendable {
    @BridgeActor var all: [BridgeHost] = []
  }
}
