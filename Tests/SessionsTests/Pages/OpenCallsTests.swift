import Testing

@testable import Sessions

@Suite struct OpenCallsTests {
  private func calls(_ count: Int, bytes: Int = 1000) -> OpenCalls {
    var limits = FootbridgeLimits()
    limits.openCalls = count
    limits.openCallBytes = bytes
    return OpenCalls(limits)
  }

  private func wait(_ calls: inout OpenCalls, _ id: String, byteCount: Int = 1, cursor: Int? = nil) {
    calls.begin(CallID(id), byteCount: byteCount, cursor: cursor)
    calls.finishHandling()
  }

  @Test func `calls that are answered while they are handled are never too many`() {
    var calls = calls(1)
    for number in 0..<10 {
      #expect(calls.hasRoom(forByteCount: 900))
      calls.begin(CallID("\(number)"), byteCount: 900, cursor: nil)
      calls.answered(CallID("\(number)"))
      calls.finishHandling()
    }
  }

  @Test func `as many as may be can wait, and each answer makes room`() {
    var calls = calls(2)
    wait(&calls, "a")
    #expect(calls.hasRoom(forByteCount: 1))
    wait(&calls, "b")
    #expect(!calls.hasRoom(forByteCount: 1))
    calls.answered(CallID("a"))
    calls.answered(CallID("a"))
    #expect(calls.hasRoom(forByteCount: 1))
    wait(&calls, "c")
    #expect(!calls.hasRoom(forByteCount: 1))
  }

  @Test func `what waits has no more bytes than it may have together`() {
    var calls = calls(100, bytes: 10)
    wait(&calls, "a", byteCount: 6)
    #expect(!calls.hasRoom(forByteCount: 5))
    #expect(calls.hasRoom(forByteCount: 4))
    wait(&calls, "c", byteCount: 4)
    calls.answered(CallID("a"))
    #expect(calls.hasRoom(forByteCount: 5))
  }

  @Test func `a correlation id that is used again counts once`() {
    var calls = calls(2, bytes: 10)
    for _ in 0..<5 { wait(&calls, "a", byteCount: 5) }
    calls.answered(CallID("a"))
    #expect(calls.hasRoom(forByteCount: 10))
  }

  @Test func `an answer is told where its call is in the journal, while it is handled and later`() {
    var calls = calls(2)
    calls.begin(CallID("a"), byteCount: 1, cursor: 7)
    #expect(calls.acknowledged(CallID("a"), action: "x") == 7)
    calls.finishHandling()
    wait(&calls, "b", cursor: 8)
    #expect(calls.acknowledged(CallID("a"), action: "x") == 7)
    #expect(calls.answered(CallID("a")) == 7)
    #expect(calls.answered(CallID("a")) == nil)
    #expect(calls.answered(CallID("b")) == 8)
  }

  @Test func `what a call asks is known from its acknowledgement to its result`() {
    var calls = calls(2)
    calls.begin(CallID("a"), byteCount: 1, cursor: nil)
    _ = calls.acknowledged(CallID("a"), action: "x")
    calls.finishHandling()
    #expect(calls.acknowledgedAction(of: CallID("a")) == "x")
    calls.answered(CallID("a"))
    #expect(calls.acknowledgedAction(of: CallID("a")) == nil)
    wait(&calls, "b")
    #expect(calls.acknowledgedAction(of: CallID("b")) == nil)
  }

  @Test func `a call is under way until it is answered, unless nobody handles it`() {
    var calls = OpenCalls(FootbridgeLimits())
    let (handled, unhandled) = (CallID("a"), CallID("b"))
    #expect(!calls.isAnyUnderWay)
    calls.begin(unhandled, byteCount: 1, cursor: nil)
    calls.isUnhandled()
    calls.finishHandling()
    #expect(!calls.isAnyUnderWay)
    calls.begin(handled, byteCount: 1, cursor: nil)
    calls.finishHandling()
    #expect(calls.isAnyUnderWay)
    calls.answered(handled)
    #expect(!calls.isAnyUnderWay && calls.contains(unhandled))
  }
}
