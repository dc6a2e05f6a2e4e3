import BridgeRuntime
import Cryptography
import Foundation
import HTTPTypes
import Testing

@testable import Footbridge
@testable import Sessions
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

  @BridgeActor @Test func `a dashboard bearer is valid for a week, and nothing else authorizes`() throws {
    let access = access()
    let one = try #require(access.exchange(newCode(access)))
    let two = try #require(access.exchange(newCode(access)))
    #expect(one != two)
    clock.advance(by: .seconds(7 * 86_400 - 1))
    #expect(access.authorizes(fields(one)) && access.authorizes(fields(two)))
    #expect(!access.authorizes([:]))
    #expect(!access.authorizes(fields(Secret("wrong"))))
    #expect(!access.authorizes([.authorization: one.reveal()]))
    clock.advance(by: .seconds(1))
    #expect(!access.authorizes(fields(one)))
  }

  @BridgeActor @Test func `a changed dashboard bearer is refused`() throws {
    let access = access()
    let bearer = try #require(access.exchange(newCode(access))).reveal()
    let later =
      try Base64URL.encode(Array("x \(UInt64.max)".utf8)) + #require(bearer.split(separator: ".").last.map { ".\($0)" })
    for changed in [bearer + "A", "A" + bearer, String(bearer.dropLast()), bearer + ".", ".", "", later] {
      #expect(!access.authorizes(fields(Secret(changed))), "\(changed)")
    }
  }

  @BridgeActor @Test func `with a state directory, the next run accepts a dashboard bearer`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let state = try StateDirectory(path: path)
    func run() throws -> DashboardAccess { DashboardAccess(clock: clock, bearers: try DashboardBearers(state: state)) }
    let first = try run()
    first.listens(at: "http://127.0.0.1:4000")
    let bearer = try #require(first.exchange(newCode(first)))
    #expect(try run().authorizes(fields(bearer)))
    #expect(!access().authorizes(fields(bearer)))
    try state.write(Data("short".utf8), to: DashboardBearers.keyFileName)
    #expect(throws: StateError.self) { try run() }
  }
}
