import BridgeRuntime
import Foundation
import Testing

@Suite struct BridgeActorTests {
  @Test @BridgeActor func `code of the actor runs on the thread of its executor`() {
    #expect(BridgeExecutor.shared.isOnExecutorThread)
  }

  @Test func `other code does not`() {
    #expect(!BridgeExecutor.shared.isOnExecutorThread)
  }

  @Test func `a task that is begun on the actor stays on its thread, in code of no actor and after waits too`() async {
    await BridgeActor.begin {
      #expect(await isOnExecutorThread())
      await withCheckedContinuation { continuation in Thread { continuation.resume() }.start() }
      #expect(await isOnExecutorThread())
    }.value
  }

  @Test func `a thousand jobs from many tasks all run`() async {
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
