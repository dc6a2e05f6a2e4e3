import BridgeRuntime
import Testing

@testable import Footbridge
@testable import OnsideServer
@testable import Sessions

@Suite struct ReplayMemoryTests {
  private func second(_ seconds: Double) -> BridgeInstant { BridgeInstant(millisecondsSinceEpoch: seconds * 1000) }

  @Test func `an id can be used once until its token expires`() {
    var memory = ReplayMemory()
    #expect(memory.use("a", until: second(30), now: second(0)) == .new)
    #expect(memory.use("a", until: second(30), now: second(0)) == .replayed)
    #expect(memory.use("b", until: second(30), now: second(0)) == .new)
    #expect(memory.use("a", until: second(60), now: second(29.999)) == .replayed)
    #expect(memory.use("a", until: second(60), now: second(30)) == .new)
    #expect(memory.use("a", until: second(60), now: second(30)) == .replayed)
  }

  @Test func `a replayed id is still forgotten when its first token expires`() {
    var memory = ReplayMemory()
    _ = memory.use("a", until: second(10), now: second(0))
    _ = memory.use("a", until: second(100), now: second(5))
    #expect(memory.use("a", until: second(40), now: second(10)) == .new)
  }

  @Test func `the ids of expired tokens are forgotten`() {
    var memory = ReplayMemory()
    for index in 0..<50 { _ = memory.use("\(index)", until: second(Double(index)), now: second(-1)) }
    #expect(memory.count == 50)
    _ = memory.use("last", until: second(100), now: second(25))
    #expect(memory.count == 25)
  }

  @Test func `a full memory refuses new ids until one expires`() {
    var memory = ReplayMemory(capacity: 2)
    #expect(memory.use("a", until: second(10), now: second(0)) == .new)
    #expect(memory.use("b", until: second(20), now: second(0)) == .new)
    #expect(memory.use("c", until: second(20), now: second(5)) == .full)
    #expect(memory.use("a", until: second(10), now: second(5)) == .replayed)
    #expect(memory.use("c", until: second(20), now: second(10)) == .new)
    #expect(memory.use("d", until: second(20), now: second(12)) == .full)
  }
}
