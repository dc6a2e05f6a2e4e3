import BridgeRuntime
import Foundation
import Testing

@Suite struct BridgeActorTests {
  @Test @BridgeActor func `code isolated to BridgeActor runs on the executor's thread`() {
    #expect(BridgeExecutor.shared.isOnExecutorThread)
  }

  @Test func `code that is not isolated to BridgeActor runs on another thread`() {
    #expect(!BridgeExecutor.shared.isOnExecutorThread)
  }

  @Test func `a task begun by BridgeActor stays on the executor's thread after every await`() async {
    await BridgeActor.begin {
      #expect(await isOnExecutorThread())
      await withCheckedContinuation { continuation in Thread { continuation.resume() }.start() }
      #expect(await isOnExecutorThread())
    }.value
  }

  @Test func `the executor runs a thousand jobs of many tasks`() async {
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<1000 { group.addTask { await counter.increment() } }
    }
    #expect(await counter.value == 1000)
  }
}

/// Asked by code of no actor, which runs where its task prefers.
private nonisolated func isOnExecutorThread() async -> Bool { BridgeExecutor.shared.isOnExecutorThread }

@BridgeActor private final class Counter {
  private(set) var value = 0

  func increment() { value += 1 }
}
