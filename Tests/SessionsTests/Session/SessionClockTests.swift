import BridgeRuntime
import Testing

@testable import Sessions

@Suite struct SessionClockTests {
  private let server = ManualBridgeClock(now: BridgeInstant(millisecondsSinceEpoch: 1000))

  private func instant(_ milliseconds: Double) -> BridgeInstant { BridgeInstant(millisecondsSinceEpoch: milliseconds) }

  /// Waits until as many sleep by `clock` as there are to be.
  private func waitForSleepers(_ count: Int, in clock: ManualBridgeClock) async {
    while clock.sleeperCount < count { await Task.yield() }
  }

  @Test func `a session's clock starts with the server's time`() {
    let clock = SessionClock(.servers, server: server)
    server.advance(by: .milliseconds(5))
    #expect(clock.now == instant(1005))
  }

  @Test func `a session's clock that was advanced continues from there`() {
    let clock = SessionClock(.servers, server: server)
    clock.set(instant(50_000))
    server.advance(by: .milliseconds(5))
    #expect(clock.now == instant(50_005))
    #expect(clock.time == .running(ahead: 49_000))
  }

  @Test func `a frozen clock stands still, and continues from there when it runs`() {
    let clock = SessionClock(.servers, server: server)
    clock.setFrozen(true)
    server.advance(by: .milliseconds(5))
    #expect(clock.now == instant(1000))
    clock.set(instant(7000))
    #expect(clock.time == .frozen(at: 7000))
    clock.setFrozen(false)
    server.advance(by: .milliseconds(5))
    #expect(clock.now == instant(7005))
  }

  @Test func `a sleeper wakes when the server's time reaches its deadline`() async throws {
    let clock = SessionClock(.running(ahead: 500), server: server)
    let sleeper = Task { try await clock.sleep(until: instant(1600)) }
    await waitForSleepers(1, in: server)
    server.advance(by: .milliseconds(100))
    try await sleeper.value
    #expect(clock.now == instant(1600))
  }

  @Test func `a sleeper of a frozen clock wakes when the clock is advanced, and not before`() async throws {
    let clock = SessionClock(.frozen(at: 0), server: server)
    let sleeper = Task {
      try await clock.sleep(until: instant(100))
      return clock.now
    }
    server.advance(by: .seconds(60))
    clock.set(instant(99))
    clock.set(instant(100))
    #expect(try await sleeper.value == instant(100))
  }

  @Test func `a sleeper of a frozen clock wakes when the clock runs again`() async throws {
    let clock = SessionClock(.frozen(at: 0), server: server)
    let sleeper = Task { try await clock.sleep(until: instant(100)) }
    clock.setFrozen(false)
    await waitForSleepers(1, in: server)
    server.advance(by: .milliseconds(100))
    try await sleeper.value
  }

  @Test func `a sleeper whose task is cancelled wakes with an error`() async {
    let clock = SessionClock(.frozen(at: 0), server: server)
    let sleeper = Task { try await clock.sleep(until: instant(100)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }
}
