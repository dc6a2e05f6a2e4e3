import BridgeRuntime
import Testing

@Suite struct BridgeActorTests {
  @Test @BridgeActor func `code of the actor runs on the thread of its executor`() {
    #expect(BridgeExecutor.shared.isOnExecutorThread)
  }

  @Test func `other code does not`() {
    #expect(!BridgeExecutor.shared.isOnExecutorThread)
  }

  @Test func `a thousand jobs from many tasks all run`() async {
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<1000 { group.addTask { await counter.increment() } }
    }
    #expect(await counter.value == 1000)
  }
}

@BridgeActor private final class Counter {
  private(set) var value = 0

  func increment() { value += 1 }
}
