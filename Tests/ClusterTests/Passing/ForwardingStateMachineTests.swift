import Testing

@testable import Cluster
@testable import Footbridge
@testable import Sessions

@Suite struct ForwardingStateMachineTests {
  private let one = Replica(id: "1", address: "127.0.0.1:1")
  private let two = Replica(id: "2", address: "127.0.0.1:2")

  private func machine(isForwarded: Bool = false) -> ForwardingStateMachine {
    ForwardingStateMachine(isForwarded: isForwarded, deadline: 100)
  }

  @Test func `an owned session is served without a claim`() {
    var machine = machine()
    #expect(machine.begin(isOwned: true, owner: nil) == .serve)
  }

  @Test func `an unknown session is claimed, and served by its new owner`() {
    var machine = machine()
    #expect(machine.begin(isOwned: false, owner: nil) == .claim)
    #expect(machine.claimed(.mine, at: 0) == .serve)
  }

  @Test func `a request for another replica's session is passed on`() {
    var machine = machine()
    _ = machine.begin(isOwned: false, owner: nil)
    #expect(machine.claimed(.others(one), at: 0) == .forward(to: one))
    #expect(machine.attempted(.answered, at: 1) == .finish)
  }

  @Test func `a remembered owner is tried first, and a claim follows if it hands back`() {
    var machine = machine()
    #expect(machine.begin(isOwned: false, owner: one) == .forward(to: one))
    #expect(machine.attempted(.handedBack, at: 1) == .claim)
    #expect(machine.claimed(.others(two), at: 1) == .forward(to: two))
  }

  @Test func `a request that is handed back again and again is retried after pauses up to the timeout`() {
    var machine = machine()
    var action = machine.begin(isOwned: false, owner: one)
    action = machine.attempted(.handedBack, at: 1)
    action = machine.claimed(.others(one), at: 1)
    #expect(machine.attempted(.handedBack, at: 1) == .wait(ForwardingStateMachine.pause))
    action = machine.waited(at: 50)
    #expect(action == .claim)
    action = machine.claimed(.others(one), at: 60)
    action = machine.attempted(.handedBack, at: 60)
    #expect(machine.waited(at: 100) == .refuse(.ownerUnreachable))
  }

  @Test func `a dead owner's session is taken over when its lease has expired`() {
    var machine = machine()
    _ = machine.begin(isOwned: false, owner: one)
    #expect(machine.attempted(.failed, at: 1) == .wait(ForwardingStateMachine.pause))
    #expect(machine.waited(at: 20) == .claim)
    #expect(machine.claimed(.others(one), at: 20) == .forward(to: one))
    #expect(machine.attempted(.failed, at: 20) == .wait(ForwardingStateMachine.pause))
    #expect(machine.waited(at: 40) == .claim)
    #expect(machine.claimed(.mine, at: 40) == .serve)
  }

  @Test func `a request that may have had an effect is not sent again`() {
    var machine = machine()
    _ = machine.begin(isOwned: false, owner: one)
    #expect(machine.attempted(.interrupted, at: 1) == .refuse(.interrupted))
  }

  @Test func `a request whose claims fail is refused at the timeout`() {
    var machine = machine()
    _ = machine.begin(isOwned: false, owner: nil)
    #expect(machine.claimed(.failed, at: 1) == .wait(ForwardingStateMachine.pause))
    _ = machine.waited(at: 50)
    #expect(machine.claimed(.failed, at: 100) == .refuse(.noLease))
  }

  @Test func `a request that was passed on is served or handed back, and not passed on again`() {
    for result in [ForwardingStateMachine.Claimed.others(two), .failed] {
      var machine = machine(isForwarded: true)
      // It does not go to a remembered owner either.
      #expect(machine.begin(isOwned: false, owner: two) == .claim)
      #expect(machine.claimed(result, at: 0) == .handBack)
    }
    var machine = machine(isForwarded: true)
    _ = machine.begin(isOwned: false, owner: nil)
    #expect(machine.claimed(.mine, at: 0) == .serve)
  }
}
