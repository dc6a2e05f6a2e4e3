import BridgeRuntime
import Testing

@testable import Footbridge

@Suite @BridgeActor struct FailedSessionsTests {
  private let clock = ManualBridgeClock()
  private let sessions: FailedSessions

  init() { sessions = FailedSessions(clock: clock) }

  private func add(_ id: String, byteCount: Int = 1) {
    sessions.add(
      FailedSessions.Ended(
        session: id, name: nil, time: clock.now, entryCount: 0, transcript: Array(repeating: 0x20, count: byteCount)))
  }

  @Test func `the last 50 journals are stored, the latest first`() {
    for number in 1...51 { add("\(number)") }
    #expect(sessions.all.count == FailedSessions.limit)
    #expect(sessions.all.first?.session == "51")
    #expect(sessions["1"] == nil && sessions["2"] != nil)
  }

  @Test func `a journal is dropped after an hour`() {
    add("a")
    clock.advance(by: .seconds(1800))
    add("b")
    clock.advance(by: .seconds(1800))
    #expect(sessions.all.map(\.session) == ["b"])
  }

  @Test func `the oldest journals make room for large ones`() {
    add("a", byteCount: FailedSessions.byteLimit / 2)
    add("b", byteCount: FailedSessions.byteLimit / 2)
    add("c", byteCount: 1)
    #expect(sessions.all.map(\.session) == ["c", "b"])
  }
}
