import Testing

@testable import WebServer

@Suite struct HTTP2ClientStateMachineTests {
  private let start = ContinuousClock.now

  private func open(streamLimit: Int = 3) -> HTTP2ClientStateMachine {
    var machine = HTTP2ClientStateMachine(at: start, silence: .seconds(5))
    machine.receivedSettings(streamLimit: streamLimit)
    return machine
  }

  @Test func `a new connection accepts one request until the settings arrive`() {
    var machine = HTTP2ClientStateMachine(at: start, silence: .seconds(5))
    #expect(machine.room == 1 && machine.isPending)
    machine.began()
    #expect(machine.room == 0 && machine.isPending)
    machine.receivedSettings(streamLimit: 3)
    #expect(machine.room == 2 && !machine.isPending)
  }

  @Test func `the settings limit the open requests, and may change`() {
    var machine = open()
    for _ in 0..<3 { machine.began() }
    #expect(machine.room == 0 && !machine.isPending)
    machine.receivedSettings(streamLimit: 1)
    machine.ended()
    #expect(machine.room == 0)
    machine.receivedSettings(streamLimit: 5)
    #expect(machine.room == 3)
  }

  @Test func `a server without a limit gets as many requests as this one would accept`() {
    #expect(open(streamLimit: Int(UInt32.max)).room == HTTP2Session.streamLimit)
  }

  @Test func `a silent connection is checked by a ping before its next request`() {
    var machine = open()
    #expect(machine.needsCheck(at: start + .seconds(5)) == false)
    #expect(machine.needsCheck(at: start + .seconds(6)) == true)
    #expect(machine.room == 0 && machine.isPending)
    #expect(machine.needsCheck(at: start + .seconds(6)) == false, "it is asked once")
    machine.receivedPong()
    #expect(machine.room == 3 && !machine.isPending)
    machine.heard(at: start + .seconds(7))
    #expect(machine.needsCheck(at: start + .seconds(12)) == false)
  }

  @Test func `a connection without a pong accepts no more requests`() {
    var machine = open()
    machine.began()
    _ = machine.needsCheck(at: start + .seconds(6))
    #expect(machine.timedOut() == true)
    machine.receivedPong()
    #expect(machine.isEnding && machine.room == 0)
  }

  @Test func `a connection without settings ends at the timeout, and one with settings does not`() {
    var silent = HTTP2ClientStateMachine(at: start, silence: .seconds(5))
    #expect(silent.timedOut() == true)
    #expect(silent.isEnding)
    var machine = open()
    #expect(machine.timedOut() == false)
    #expect(!machine.isEnding)
  }

  @Test func `an ending connection accepts no more requests`() {
    var machine = open()
    machine.beganEnding()
    machine.receivedSettings(streamLimit: 100)
    machine.receivedPong()
    #expect(machine.room == 0 && !machine.isPending)
    #expect(machine.needsCheck(at: start + .seconds(60)) == false)
  }
}
