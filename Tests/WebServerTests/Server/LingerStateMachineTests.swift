import Testing

@testable import WebServer

@Suite struct LingerStateMachineTests {
  private typealias Machine = LingerStateMachine
  private static let timeout = Duration.seconds(60)

  private func machine(peerHasEnded: Bool = false) -> LingerStateMachine {
    Machine(transferTimeout: Self.timeout, peerHasEnded: peerHasEnded)
  }

  @Test func `a peer has the time of a transfer for each part of a queued response`() {
    var machine = machine()
    #expect(machine.begin(queued: 10) == .wait(Self.timeout))
    #expect(machine.sent(queued: 5) == .wait(Self.timeout))
    #expect(machine.sent(queued: 0) == .wait(Machine.pause))
  }

  @Test func `a peer that does not read a queued response is cut`() {
    var machine = machine()
    _ = machine.begin(queued: 10)
    #expect(machine.timerFired(queued: 10, undelivered: 10) == .cut)
  }

  @Test func `a silent peer that has the whole response is closed after a pause`() {
    var machine = machine()
    #expect(machine.begin(queued: 0) == .wait(Machine.pause))
    #expect(machine.timerFired(queued: 0, undelivered: 0) == .close)
  }

  @Test func `a peer that sends on is read for some pauses`() {
    var machine = machine()
    _ = machine.begin(queued: 0)
    for _ in 1...4 {
      machine.received()
      #expect(machine.timerFired(queued: 0, undelivered: 0) == .wait(Machine.pause))
    }
    machine.received()
    #expect(machine.timerFired(queued: 0, undelivered: 0) == .close)
  }

  @Test func `the connection closes when the peer has ended its side and nothing is queued`() {
    var machine = machine()
    _ = machine.begin(queued: 10)
    #expect(machine.peerEnded(queued: 10) == .wait(Self.timeout))
    #expect(machine.sent(queued: 0) == .close)
    var ended = self.machine(peerHasEnded: true)
    #expect(ended.begin(queued: 0) == .close)
  }

  @Test func `a peer whose system takes the sent bytes is waited for`() {
    var machine = machine()
    _ = machine.begin(queued: 0)
    for undelivered in stride(from: 1000, to: 0, by: -10) {
      #expect(machine.timerFired(queued: 0, undelivered: undelivered) == .wait(Machine.pause))
    }
    #expect(machine.timerFired(queued: 0, undelivered: 0) == .close)
  }

  @Test func `a peer whose system takes no sent bytes for the time of a transfer is cut`() {
    var machine = machine()
    _ = machine.begin(queued: 0)
    for _ in 0..<30 { #expect(machine.timerFired(queued: 0, undelivered: 10) == .wait(Machine.pause)) }
    #expect(machine.timerFired(queued: 0, undelivered: 10) == .cut)
  }
}
