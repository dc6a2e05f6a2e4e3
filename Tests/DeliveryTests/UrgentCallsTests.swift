import Testing

@testable import Delivery

@Suite struct UrgentCallsTests {
  private let call = CallID("footbridge-1")

  @Test func `an urgent call gets its answer once`() {
    var calls = UrgentCalls()
    var taken: [[UInt8]?] = []
    calls.await(call) { taken.append($0) }
    #expect(calls.take(CallID("footbridge-2")) == nil)
    calls.take(call)?([1])
    #expect(calls.take(call) == nil)
    #expect(taken == [[1]] && calls.isEmpty)
  }

  @Test func `an urgent call that is given up or replaced gets no answer`() {
    var calls = UrgentCalls()
    var taken: [Int: Bool] = [:]
    for number in 1...2 { calls.await(call) { taken[number] = $0 != nil } }
    #expect(taken == [1: false])
    calls.giveUp(call)
    #expect(calls.take(call) == nil)
    #expect(taken == [1: false, 2: false])
    calls.await(call) { taken[3] = $0 != nil }
    calls.giveUp()
    #expect(taken[3] == false && calls.isEmpty)
  }
}
