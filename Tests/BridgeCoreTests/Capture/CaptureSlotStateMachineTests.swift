import Testing

@testable import BridgeCore

@Suite struct CaptureSlotStateMachineTests {
  let result = CaptureResult.cancelled(reason: "first")
  let other = CaptureResult.cancelled(reason: "second")

  @Test func `one request at a time is started, each with a number of its own`() {
    var machine = CaptureSlotStateMachine()
    #expect(machine.begin() == .start(1))
    #expect(machine.begin() == .rejectBusy)
    #expect(machine.finish(1) == .respond)
    #expect(machine.begin() == .start(2))
  }

  @Test func `a handler waits until the result comes`() {
    var machine = CaptureSlotStateMachine()
    _ = machine.begin()
    #expect(machine.await(in: 1) == .suspend)
    #expect(machine.complete(result) == .resume)
    #expect(machine.finish(1) == .respond)
  }

  @Test func `a result that comes first is there when the handler wants it`() {
    var machine = CaptureSlotStateMachine()
    _ = machine.begin()
    #expect(machine.complete(result) == .none)
    #expect(machine.await(in: 1) == .resume(result))
  }

  @Test func `of two results the first counts, in either order`() {
    var early = CaptureSlotStateMachine()
    _ = early.begin()
    #expect(early.complete(result) == .none)
    #expect(early.complete(other) == .none)
    #expect(early.await(in: 1) == .resume(result))

    var awaited = CaptureSlotStateMachine()
    _ = awaited.begin()
    _ = awaited.await(in: 1)
    #expect(awaited.complete(result) == .resume)
    #expect(awaited.complete(other) == .none)
  }

  @Test func `a handler that wants another try waits for another result`() {
    var machine = CaptureSlotStateMachine()
    _ = machine.begin()
    _ = machine.await(in: 1)
    _ = machine.complete(result)
    #expect(machine.await(in: 1) == .suspend)
    #expect(machine.complete(other) == .resume)
  }

  @Test func `a result that is too late has no effect on the next request`() {
    var machine = CaptureSlotStateMachine()
    #expect(machine.complete(result) == .none)
    _ = machine.begin()
    _ = machine.finish(1)
    #expect(machine.complete(result) == .none)
    _ = machine.begin()
    #expect(machine.await(in: 2) == .suspend)
  }

  @Test func `after the end a handler gets nothing, is not heard, and blocks nobody`() {
    var machine = CaptureSlotStateMachine()
    _ = machine.begin()
    machine.end()
    #expect(machine.await(in: 1) == .end)
    #expect(machine.begin() == .start(2))
    #expect(machine.await(in: 1) == .end)
    #expect(machine.finish(1) == .drop)
    #expect(machine.begin() == .rejectBusy)
    #expect(machine.finish(2) == .respond)
  }

  @Test func `someone may wait without a request`() {
    var machine = CaptureSlotStateMachine()
    #expect(machine.await(in: nil) == .suspend)
    #expect(machine.await(in: nil) == .suspend)
    #expect(machine.await(in: 1) == .end)
    #expect(machine.complete(result) == .resume)
    #expect(machine.complete(result) == .none)
  }

  @Test func `whoever waited before a request gets its result`() {
    var machine = CaptureSlotStateMachine()
    _ = machine.await(in: nil)
    #expect(machine.begin() == .start(1))
    #expect(machine.complete(result) == .resume)
  }

  @Test func `when nobody waits any more a result is kept for the one who will`() {
    var machine = CaptureSlotStateMachine()
    _ = machine.begin()
    _ = machine.await(in: 1)
    machine.stopWaiting()
    #expect(machine.complete(result) == .none)
    #expect(machine.await(in: 1) == .resume(result))
  }

  @Test func `when nobody waits any more a result without a request is for nobody`() {
    var machine = CaptureSlotStateMachine()
    _ = machine.await(in: nil)
    machine.stopWaiting()
    #expect(machine.complete(result) == .none)
    #expect(machine.await(in: nil) == .suspend)
  }
}
