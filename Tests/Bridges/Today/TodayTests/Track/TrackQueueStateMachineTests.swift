import BridgeRuntime
import Testing

@testable import Today

@Suite struct TrackQueueStateMachineTests {
  private func machine(batch: Int = 3, events: Int = 5, bytes: Int = 1 << 20) -> TrackQueueStateMachine {
    var limits = TrackLimits()
    limits.batchCount = batch
    limits.eventCount = events
    limits.totalByteCount = bytes
    return TrackQueueStateMachine(limits: limits)
  }

  private func event(_ name: String) -> TrackedEvent {
    TrackedEvent(
      name: name, parameters: [:], eventID: name, time: ManualBridgeClock().now,
      identity: TrackIdentity(sessionID: "s", deviceID: "d"))
  }

  private func text(_ action: TrackQueueStateMachine.Action) -> String {
    switch action {
    case .none: "none"
    case .startTimer: "timer"
    case .send(let events): "send " + events.map(\.name).joined(separator: ",")
    }
  }

  @Test func `the first event starts the timer, and the timer sends the queue`() {
    var machine = machine()
    #expect(text(machine.enqueue(event("a"))) == "timer")
    #expect(text(machine.enqueue(event("b"))) == "none")
    #expect(text(machine.timerFired()) == "send a,b")
    #expect(text(machine.sent()) == "none")
    #expect(machine.isIdle)
  }

  @Test func `a full batch is sent at once`() {
    var machine = machine()
    _ = machine.enqueue(event("a"))
    _ = machine.enqueue(event("b"))
    #expect(text(machine.enqueue(event("c"))) == "send a,b,c")
  }

  @Test func `one batch is sent at a time, and the next follows it`() {
    var machine = machine(batch: 1)
    #expect(text(machine.enqueue(event("a"))) == "send a")
    #expect(text(machine.enqueue(event("b"))) == "none")
    #expect(text(machine.timerFired()) == "none")
    #expect(text(machine.sent()) == "send b")
    #expect(text(machine.sent()) == "none")
  }

  @Test func `events during a batch wait for the timer again`() {
    var machine = machine()
    _ = machine.enqueue(event("a"))
    _ = machine.timerFired()
    _ = machine.enqueue(event("b"))
    #expect(text(machine.sent()) == "timer")
    #expect(text(machine.timerFired()) == "send b")
  }

  @Test func `a full queue drops its oldest events and counts them`() {
    var machine = machine(batch: 2, events: 3)
    _ = machine.enqueue(event("x"))
    _ = machine.timerFired()
    for name in ["a", "b", "c", "d", "e"] { _ = machine.enqueue(event(name)) }
    #expect(machine.droppedCount == 2)
    #expect(text(machine.sent()) == "send c,d")
    #expect(text(machine.sent()) == "timer")
    #expect(text(machine.timerFired()) == "send e")
  }

  @Test func `a queue above its byte limit drops its oldest events, but never the latest`() {
    var machine = machine(batch: 10, events: 100, bytes: event("a").byteCount * 2)
    for name in ["a", "b", "c"] { _ = machine.enqueue(event(name)) }
    #expect(text(machine.timerFired()) == "send b,c")
    var small = self.machine(bytes: 1)
    _ = small.enqueue(event("a"))
    _ = small.enqueue(event("b"))
    #expect(text(small.timerFired()) == "send b")
  }

  @Test func `drain sends all batches without the timer`() {
    var machine = machine()
    #expect(text(machine.drain()) == "none")
    _ = machine.enqueue(event("a"))
    #expect(text(machine.drain()) == "send a")
    _ = machine.enqueue(event("b"))
    #expect(text(machine.sent()) == "send b")
    #expect(text(machine.sent()) == "none")
    #expect(text(machine.enqueue(event("c"))) == "timer")
  }
}
