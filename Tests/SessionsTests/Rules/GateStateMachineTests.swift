import Testing

@testable import Sessions

@Suite struct GateStateMachineTests {
  /// Whether each of `waiters` has to wait at a gate.
  private func wait(_ gates: inout GateStateMachine<Int>, at name: String, _ waiters: [Int]) -> [Bool] {
    waiters.map { if case .wait = gates.arrive(at: name, id: gates.expect(at: name), $0) { true } else { false } }
  }

  @Test func `an opened gate releases its waiting calls in order, and later calls wait again`() {
    var gates = GateStateMachine<Int>()
    let early = wait(&gates, at: "a", [1]) + wait(&gates, at: "b", [2]) + wait(&gates, at: "a", [3])
    let opened = gates.open("a").map(\.waiter)
    let late = wait(&gates, at: "a", [4])
    #expect(early == [true, true, true])
    #expect(opened == [1, 3])
    #expect(late == [true])
    #expect(gates.holds.map(\.waiter) == [2, 4])
  }

  @Test func `a waiting call can be released alone`() {
    var gates = GateStateMachine<Int>()
    _ = wait(&gates, at: "a", [1, 2])
    let opened = [gates.open("gate-2"), gates.open("gate-2")].map { $0.map(\.waiter) }
    #expect(opened == [[2], []])
    #expect(gates.holds.map(\.id) == ["gate-1"])
  }

  @Test func `a gate can have the name of another gate's waiting call`() {
    var gates = GateStateMachine<Int>()
    _ = wait(&gates, at: "a", [1])
    let opened = gates.open("gate-1", isName: true)
    let waits = wait(&gates, at: "gate-1", [2])
    let named = gates.open("gate-1").map(\.waiter)
    #expect(opened.isEmpty)
    #expect(waits == [true])
    #expect(named == [2])
  }

  @Test func `a gate that was opened in advance releases as many calls as it was opened for`() {
    var gates = GateStateMachine<Int>()
    let opened = (1...2).allSatisfy { _ in gates.openForNext("a") }
    let waits = wait(&gates, at: "a", [1]) + wait(&gates, at: "b", [2]) + wait(&gates, at: "a", [3, 4])
    #expect(opened)
    #expect(waits == [false, true, false, true])
  }

  @Test func `openings in advance are limited`() {
    var gates = GateStateMachine<Int>()
    let limit = GateStateMachine<Int>.openingLimit
    let opened = (0...limit).map { gates.openForNext("gate \($0 % 7)") }
    #expect(opened == Array(repeating: true, count: limit) + [false])
  }

  @Test func `a waiting call that gives up is removed`() {
    var gates = GateStateMachine<Int>()
    _ = wait(&gates, at: "a", [1])
    let removed = [gates.giveUp("gate-1"), gates.giveUp("gate-1")]
    #expect(removed == [1, nil])
    #expect(gates.holds.isEmpty)
  }

  @Test func `an expected call is expected at its gate until it arrives`() {
    var gates = GateStateMachine<Int>()
    let id = gates.expect(at: "a")
    let before = gates.expects(at: "a")
    let other = gates.expects(at: "b")
    _ = gates.arrive(at: "a", id: id, 1)
    #expect(before)
    #expect(!other)
    #expect(!gates.expects(at: "a"))
  }

  @Test func `an opening in advance ends with its expected call, and not with another one`() {
    var gates = GateStateMachine<Int>()
    let (first, second) = (gates.expect(at: "a"), gates.expect(at: "a"))
    _ = gates.openForNext("a")
    let removed = gates.giveUp(first)
    let waitsSecond = if case .wait = gates.arrive(at: "a", id: second, 2) { true } else { false }
    let third = gates.expect(at: "a")
    _ = gates.openForNext("a")
    _ = gates.giveUp(third)
    let waitsFourth = wait(&gates, at: "a", [4])
    #expect(removed == nil)
    #expect(!waitsSecond)
    #expect(waitsFourth == [true])
  }

  @Test func `removeAll removes all waiting calls and openings`() {
    var gates = GateStateMachine<Int>()
    _ = gates.openForNext("b")
    _ = wait(&gates, at: "a", [1])
    let removed = gates.removeAll().map(\.waiter)
    let waits = wait(&gates, at: "b", [2])
    #expect(removed == [1])
    #expect(waits == [true])
  }
}
