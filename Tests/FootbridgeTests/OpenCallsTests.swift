import Testing

@testable import Footbridge

@Suite struct OpenCallsTests {
  private func calls(_ count: Int, bytes: Int = 1000) -> OpenCalls {
    var limits = FootbridgeLimits()
    limits.openCalls = count
    limits.openCallBytes = bytes
    return OpenCalls(limits)
  }

  @Test func `calls that are answered while they are handled are never too many`() {
    var calls = calls(1)
    for number in 0..<10 {
      #expect(calls.begin("\(number)", byteCount: 900) == true)
      calls.answered("\(number)")
      calls.finishHandling()
    }
  }

  @Test func `as many as may be can wait, and each answer makes room`() {
    var calls = calls(2)
    for id in ["a", "b"] {
      #expect(calls.begin(id, byteCount: 1) == true)
      calls.finishHandling()
    }
    #expect(calls.begin("c", byteCount: 1) == false)
    calls.answered("a")
    calls.answered("a")
    #expect(calls.begin("c", byteCount: 1) == true)
    calls.finishHandling()
    #expect(calls.begin("d", byteCount: 1) == false)
  }

  @Test func `what waits has no more bytes than it may have together`() {
    var calls = calls(100, bytes: 10)
    #expect(calls.begin("a", byteCount: 6) == true)
    calls.finishHandling()
    #expect(calls.begin("b", byteCount: 5) == false)
    #expect(calls.begin("c", byteCount: 4) == true)
    calls.finishHandling()
    calls.answered("a")
    #expect(calls.begin("b", byteCount: 5) == true)
  }

  @Test func `a correlation id that is used again counts once`() {
    var calls = calls(2, bytes: 10)
    for _ in 0..<5 {
      #expect(calls.begin("a", byteCount: 5) == true)
      calls.finishHandling()
    }
    calls.answered("a")
    #expect(calls.begin("b", byteCount: 10) == true)
  }
}
