import Testing

@testable import BridgeCore

@Suite struct CaptureSlotStateMachineTests {
  let result = CaptureResult.cancelled(reason: "first")
  let other = CaptureResult.cancelled(reason: "second")

  @Test func `a slot starts one request at a time, and numbers them`() {
    var machine = CaptureSlotStateMachine()
    #expect(machine.begin() == .start(1))
    #expect(machine.begin() == .rejectBusy)
    #expect(machine.finish(1) == .respond)
    #expect(machine.begin() == .start(2))
  }

  @Test func `a handler waits until the request is completed`() {
    var machine = CaptureSlotStateMachine()
    _ = machine.begin()
    #expect(machine.await(in: 1) == .suspend)
    #expect(machine.complete(result) == .resume)
    #expect(machine.finish(1) == .respond)
  }

  @Test func `a handler gets a result that was set before it waited`() {
    var machine = CaptureSlotStateMachine()
    _ = machine.begin()
    #expect(machine.complete(result) == .none)
    #expect(machine.await(in: 1) == .resume(result))
  }

  @Test func `the first of two results is returned, before or during the wait`() {
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

  @Test func `a handler that waits again gets the next result`() {
    var machine = CaptureSlotStateMachine()
    _ = machine.begin()
    _ = machine.await(in: 1)
    _ = machine.complete(result)
    #expect(machine.await(in: 1) == .suspend)
    #expect(machine.complete(other) == .resume)
  }

  @Test func `a result without a request in flight is dropped`() {
    var machine = CaptureSlotStateMachine()
    #expect(machine.complete(result) == .none)
    _ = machine.begin()
    _ = machine.finish(1)
    #expect(machine.complete(result) == .none)
    _ = machine.begin()
    #expect(machine.await(in: 2) == .suspend)
  }

  @Test func `a handler of an ended request gets no result, sends no response and does not block the slot`() {
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

  @Test func `waiting without a request ends with the next result`() {
    var machine = CaptureSlotStateMachine()
    #expect(machine.await(in: nil) == .suspend)
    #expect(machine.await(in: nil) == .suspend)
    #expect(machine.await(in: 1) == .end)
    #expect(machine.complete(result) == .resume)
    #expect(machine.complete(result) == .none)
  }

  @Test func `a wait that began before a request gets the request's result`() {
    var machine = CaptureSlotStateMachine()
    _ = machine.await(in: nil)
    #expect(machine.begin() == .start(1))
    #expect(machine.complete(result) == .resume)
  }

  @Test func `a result after a stopped wait is stored for the next wait of the request`() {
    var machine = CaptureSlotStateMachine()
    _ = machine.begin()
    _ = machine.await(in: 1)
    machine.stopWaiting()
    #expect(machine.complete(result) == .none)
    #expect(machine.await(in: 1) == .resume(result))
  }

  @Test func `a result after a stopped wait without a request is dropped`() {
    var machine = CaptureSlotStateMachine()
    _ = machine.await(in: nil)
    machine.stopWaiting()
    #expect(machine.complete(result) == .none)
    #expect(machine.await(in: nil) == .suspend)
  }
}
