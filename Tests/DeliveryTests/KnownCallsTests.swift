import Testing

@testable import Delivery

@Suite struct KnownCallsTests {
  private func begin(_ id: String, in calls: inout KnownCalls) -> PageDelivery.RequestAction {
    var text = id
    return text.withUTF8 { calls.begin(CallID(id), $0) }
  }

  /// Begins and answers calls whose ids the page has chosen.
  private func answer(_ ids: some Sequence<Int>, in calls: inout KnownCalls) {
    for id in ids {
      #expect(calls.beginPages(CallID("\(id)"), request: id) == .handle)
      calls.answered(CallID("\(id)"), [1, 2, 3], byteLimit: PageDelivery.byteLimit)
    }
  }

  @Test func `the latest forgotten calls are refused, up to the limit`() {
    var calls = KnownCalls()
    let count = KnownCalls.forgottenLimit + 1000
    answer(0..<count, in: &calls)
    calls.forgetAnswers(above: 0)
    calls.connected()
    for id in 0..<count {
      #expect(calls.beginPages(CallID("\(id)"), request: id) == (id < 1000 ? .handle : .refuse))
    }
  }

  @Test func `an open call is remembered after any number of later calls`() {
    var calls = KnownCalls()
    #expect(calls.beginPages(CallID("open"), request: 1) == .handle)
    answer(0..<(3 * KnownCalls.forgottenLimit), in: &calls)
    calls.connected()
    #expect(calls.beginPages(CallID("open"), request: 1) == .wait)
    #expect(calls.count <= KnownCalls.forgottenLimit + PageDelivery.messageLimit + 1)
  }

  @Test func `a call whose number shows that it has run is not stored`() {
    var calls = KnownCalls()
    for number in 1...(2 * PageDelivery.messageLimit) {
      #expect(begin("footbridge-\(number)", in: &calls) == .handle)
      calls.answered(CallID("footbridge-\(number)"), [1], byteLimit: PageDelivery.byteLimit)
    }
    #expect(calls.count == PageDelivery.messageLimit)
    #expect(begin("footbridge-1", in: &calls) == .refuse)
  }

  @Test func `a call that was forgotten and answered again gets the new answer`() {
    var calls = KnownCalls()
    answer(0..<1, in: &calls)
    calls.forgetAnswers(above: 0)
    calls.answered(CallID("0"), [4], byteLimit: PageDelivery.byteLimit)
    // The deleted answer is among the oldest forgotten ones. The new answer outlives it.
    answer(1...KnownCalls.forgottenLimit + 1, in: &calls)
    calls.answered(CallID("0"), [5], byteLimit: PageDelivery.byteLimit)
    calls.connected()
    #expect(calls.beginPages(CallID("0"), request: 0) == .answer([5]))
  }

  @Test func `only the last answer of a call counts for the limit of bytes`() {
    var calls = KnownCalls()
    answer(0..<1, in: &calls)
    calls.answered(CallID("0"), [4, 5], byteLimit: PageDelivery.byteLimit)
    calls.forgetAnswers(above: 2)
    calls.connected()
    #expect(calls.beginPages(CallID("0"), request: 0) == .answer([4, 5]))
    calls.forgetAnswers(above: 1)
    calls.connected()
    #expect(calls.beginPages(CallID("0"), request: 0) == .refuse)
  }
}
