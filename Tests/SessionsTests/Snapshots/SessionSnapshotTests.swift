import BridgeRuntime
import FootbridgeTesting
import Testing

@testable import Sessions

@Suite(.footbridge) @BridgeActor struct SessionSnapshotTests {
  @Test func `a new session from a snapshot shares its lists and continues its clock`() throws {
    let server = try TestServer.current
    let (session, _) = server.sessions.create(name: "one", beginsUsualScenario: false)
    session.setClock(frozen: true, now: BridgeInstant(millisecondsSinceEpoch: 1_700_000_000_000))
    let snapshot = session.snapshot
    #expect(snapshot.clock?.isFrozen == true)
    let (next, _) = server.sessions.create(name: "two", beginsUsualScenario: false, from: snapshot)
    #expect(next.clock.now == session.clock.now && next.clock.time.isFrozen)
    next.setClock(frozen: false)
    #expect(session.clock.time.isFrozen)
  }
}
