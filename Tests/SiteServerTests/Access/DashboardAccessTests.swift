import BridgeRuntime
import HTTPTypes
import Testing

@testable import Footbridge
@testable import SiteServer

@Suite struct DashboardAccessTests {
  private let clock = ManualBridgeClock()

  @BridgeActor private func access() -> DashboardAccess {
    let access = DashboardAccess(clock: clock)
    access.listens(at: "http://127.0.0.1:4000")
    return access
  }

  /// A code that was just issued.
  @BridgeActor private func newCode(_ access: DashboardAccess) throws -> String { try #require(access.enter()).code }

  private func fields(_ bearer: Secret) -> HTTPFields { [.authorization: "Bearer \(bearer.reveal())"] }

  @BridgeActor @Test func `a dashboard without a listener has no address`() {
    #expect(DashboardAccess(clock: clock).enter() == nil)
  }

  @BridgeActor @Test func `the dashboard's address has the code and the target in its fragment`() throws {
    let access = access()
    let plain = try #require(access.enter())
    #expect(plain.url == "http://127.0.0.1:4000/#/?code=\(plain.code)")
    #expect(plain.expiry == clock.now.advanced(by: .seconds(120)))
    let linked = try #require(access.enter("/sessions/0f/log?row=3"))
    #expect(linked.url == "http://127.0.0.1:4000/#/sessions/0f/log?row=3&code=\(linked.code)")
  }

  @BridgeActor @Test func `a dashboard code is exchanged once`() throws {
    let access = access()
    let code = try newCode(access)
    let bearer = try #require(access.exchange(code))
    #expect(access.authorizes(fields(bearer)))
    #expect(access.exchange(code) == nil)
    #expect(access.exchange("unknown") == nil)
    #expect(!access.authorizes(fields(Secret(code))))
  }

  @BridgeActor @Test func `a dashboard code expires after two minutes`() throws {
    let access = access()
    let early = try newCode(access)
    let late = try newCode(access)
    clock.advance(by: .milliseconds(119_999))
    #expect(access.exchange(early) != nil)
    clock.advance(by: .milliseconds(1))
    #expect(access.exchange(late) == nil)
  }

  @BridgeActor @Test func `a dashboard bearer does not expire, and nothing else authorizes`() throws {
    let access = access()
    let one = try #require(access.exchange(newCode(access)))
    let two = try #require(access.exchange(newCode(access)))
    #expect(one != two)
    clock.advance(by: .seconds(86_400))
    #expect(access.authorizes(fields(one)) && access.authorizes(fields(two)))
    #expect(!access.authorizes([:]))
    #expect(!access.authorizes(fields(Secret("wrong"))))
    #expect(!access.authorizes([.authorization: one.reveal()]))
  }

  @BridgeActor @Test func `the oldest dashboard bearer is revoked above the limit`() throws {
    let access = access()
    var bearers: [Secret] = []
    for _ in 0...DashboardAccess.bearerLimit { bearers.append(try #require(access.exchange(newCode(access)))) }
    #expect(!access.authorizes(fields(bearers[0])))
    #expect(bearers.dropFirst().allSatisfy { access.authorizes(fields($0)) })
  }
}
