import Testing

@testable import Delivery

@Suite struct OpenCallsTests {
  private func calls(_ count: Int, bytes: Int = 1 << 20) -> OpenCalls {
    OpenCalls(countLimit: count, space: SharedBytes(limit: bytes))
  }

  private func wait(_ calls: inout OpenCalls, _ id: String, byteCount: Int = 1, cursor: Int? = nil) {
    calls.begin(CallID(id), byteCount: byteCount, cursor: cursor, start: 0)
    calls.finishHandling { 9 }
  }

  @Test func `a call that is answered while it is handled does not count towards the limit`() {
    var calls = calls(1)
    for number in 0..<10 {
      #expect(calls.hasRoom && calls.hasRoom(forByteCount: 900))
      calls.begin(CallID("\(number)"), byteCount: 900, cursor: nil, start: 0)
      calls.answered(CallID("\(number)"))
      calls.finishHandling { 0 }
    }
  }

  @Test func `calls wait up to the limit, and an answer frees a place`() {
    var calls = calls(2)
    wait(&calls, "a")
    #expect(calls.hasRoom)
    wait(&calls, "b")
    #expect(!calls.hasRoom)
    calls.answered(CallID("a"))
    calls.answered(CallID("a"))
    #expect(calls.hasRoom)
    wait(&calls, "c")
    #expect(!calls.hasRoom)
  }

  @Test func `waiting calls are limited in bytes`() {
    var calls = calls(100, bytes: 10 + 2 * OpenCalls.overhead)
    wait(&calls, "a", byteCount: 6)
    #expect(!calls.hasRoom(forByteCount: 5))
    #expect(calls.hasRoom(forByteCount: 4))
    wait(&calls, "c", byteCount: 4)
    calls.answered(CallID("a"))
    #expect(calls.hasRoom(forByteCount: 5))
  }

  @Test func `the calls of all pages of a session are limited together`() {
    let space = SharedBytes(limit: 10 + 2 * OpenCalls.overhead)
    var pages = [OpenCalls(countLimit: 10, space: space), OpenCalls(countLimit: 10, space: space)]
    wait(&pages[0], "a", byteCount: 6)
    #expect(pages[1].hasRoom(forByteCount: 4))
    #expect(!pages[1].hasRoom(forByteCount: 5))
    pages[0].end()
    #expect(pages[1].hasRoom(forByteCount: 10))
  }

  @Test func `a call that ends its page waits no longer`() {
    let space = SharedBytes(limit: 1 << 20)
    var calls = OpenCalls(countLimit: 10, space: space)
    wait(&calls, "a")
    calls.begin(CallID("b"), byteCount: 1, cursor: nil, start: 0)
    calls.end()
    calls.finishHandling { 0 }
    calls.answered(CallID("a"))
    #expect(space.count == 0)
  }

  @Test func `a repeated correlation id counts once`() {
    var calls = calls(2, bytes: 10 + OpenCalls.overhead)
    for _ in 0..<5 { wait(&calls, "a", byteCount: 5) }
    calls.answered(CallID("a"))
    #expect(calls.hasRoom(forByteCount: 10))
  }

  @Test func `answered returns the journal cursor of the call`() {
    var calls = calls(2)
    calls.begin(CallID("a"), byteCount: 1, cursor: 7, start: 0)
    #expect(calls.acknowledged(CallID("a"), action: "x")?.cursor == 7)
    calls.finishHandling { 0 }
    wait(&calls, "b", cursor: 8)
    #expect(calls.acknowledged(CallID("a"), action: "x")?.cursor == 7)
    #expect(calls.answered(CallID("a"))?.cursor == 7)
    #expect(calls.answered(CallID("a")) == nil)
    #expect(calls.answered(CallID("b"))?.cursor == 8)
  }

  @Test func `the action of a call is remembered from its acknowledgement to its result`() {
    var calls = calls(2)
    calls.begin(CallID("a"), byteCount: 1, cursor: nil, start: 0)
    _ = calls.acknowledged(CallID("a"), action: "x")
    calls.finishHandling { 0 }
    #expect(calls.acknowledgedAction(of: CallID("a")) == "x")
    calls.answered(CallID("a"))
    #expect(calls.acknowledgedAction(of: CallID("a")) == nil)
    wait(&calls, "b")
    #expect(calls.acknowledgedAction(of: CallID("b")) == nil)
  }

  @Test func `a handled call is under way until it is answered, and an unhandled one is not`() {
    var calls = calls(10)
    let (handled, unhandled) = (CallID("a"), CallID("b"))
    #expect(!calls.isAnyUnderWay)
    calls.begin(unhandled, byteCount: 1, cursor: nil, start: 0)
    calls.isUnhandled(unhandled)
    calls.finishHandling { 0 }
    #expect(!calls.isAnyUnderWay)
    calls.begin(handled, byteCount: 1, cursor: nil, start: 0)
    calls.finishHandling { 0 }
    #expect(calls.isAnyUnderWay)
    calls.answered(handled)
    #expect(!calls.isAnyUnderWay && calls.contains(unhandled))
  }

  @Test func `an answer knows since when its call has waited`() {
    var calls = calls(2)
    calls.begin(CallID("a"), byteCount: 1, cursor: nil, start: 3)
    #expect(calls.acknowledged(CallID("a"), action: "x")?.wait == nil)
    #expect(calls.answered(CallID("a"))?.wait == .atOnce(start: 3))
    for (start, known) in [(0, 9), (4, 4)] {
      calls.begin(CallID("b"), byteCount: 1, cursor: nil, start: start)
      calls.finishHandling { 9 }
      #expect(calls.answered(CallID("b"))?.wait == .later(start: known))
    }
  }
}
