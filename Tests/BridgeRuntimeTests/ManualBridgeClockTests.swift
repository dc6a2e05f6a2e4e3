import BridgeRuntime
import Testing

@Suite struct ManualBridgeClockTests {
  let clock = ManualBridgeClock()

  @Test func `time stands still until it is advanced`() {
    let before = clock.now
    #expect(clock.now == before)
    clock.advance(by: .seconds(2))
    #expect(before.duration(to: clock.now) == .seconds(2))
  }

  @Test func `a deadline that has passed does not suspend`() async throws {
    try await clock.sleep(until: clock.now)
  }

  @Test @BridgeActor func `sleepers wake when their time has come, and not before`() async throws {
    let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
    while clock.sleeperCount == 0 { await Task.yield() }
    clock.advance(by: .seconds(9))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(1))
    try await sleeper.value
  }

  @Test func `a cancelled sleeper throws`() async {
    let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }
}
