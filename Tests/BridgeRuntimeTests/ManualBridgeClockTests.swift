import BridgeRuntime
import Testing

@Suite struct ManualBridgeClockTests {
  let clock = ManualBridgeClock()

  @Test func `a manual clock stands still until it is advanced`() {
    let before = clock.now
    #expect(clock.now == before)
    clock.advance(by: .seconds(2))
    #expect(before.duration(to: clock.now) == .seconds(2))
  }

  @Test func `sleeping until a past deadline returns at once`() async throws {
    try await clock.sleep(until: clock.now)
  }

  @Test @BridgeActor func `a sleeper wakes when the clock reaches its deadline, and not before`() async throws {
    let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
    while clock.sleeperCount == 0 { await Task.yield() }
    clock.advance(by: .seconds(9))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(1))
    try await sleeper.value
  }

  @Test func `a cancelled sleeper throws CancellationError`() async {
    let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }
}
