import Testing

@testable import Sessions

@Suite struct UrgentCallsTests {
  private let call = CallID("footbridge-1")

  @Test func `an urgent call gets its answer once`() {
    var calls = UrgentCalls()
    var taken: [[UInt8]?] = []
    calls.await(call) { taken.append($0) }
    let results = [
      calls.answered(CallID("footbridge-2"), [2]), calls.answered(call, [1]), calls.answered(call, [1]),
    ]
    #expect(results == [false, true, false])
    #expect(taken == [[1]] && calls.isEmpty)
  }

  @Test func `an urgent call that is given up or replaced gets no answer`() {
    var calls = UrgentCalls()
    var taken: [Int: Bool] = [:]
    for number in 1...2 { calls.await(call) { taken[number] = $0 != nil } }
    #expect(taken == [1: false])
    calls.giveUp(call)
    let isAnswered = calls.answered(call, [1])
    #expect(taken == [1: false, 2: false] && !isAnswered)
    calls.await(call) { taken[3] = $0 != nil }
    calls.giveUp()
    #expect(taken[3] == false && calls.isEmpty)
  }
}
