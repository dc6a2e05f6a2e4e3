import Foundation
import Synchronization

@testable import BridgeRuntime

/// An actor on an executor of its own.
actor Owner {
  nonisolated let executor = BridgeExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func nothing() {}

  /// Has each job queue the next one. Tells how many there were when the condition holds, or when there were too many.
  func queueJobs(
    _ count: Int = 0, atMost limit: Int, until isEnough: @escaping @Sendable () -> Bool,
    _ done: CheckedContinuation<Int, Never>
  ) {
    if count == limit || isEnough() { return done.resume(returning: count) }
    Task { self.queueJobs(count + 1, atMost: limit, until: isEnough, done) }
  }
}

/// A run loop whose preparation gives rise to a job, once.
final class BusyRunLoop: BridgeRunLoop {
  let jobRan = Atomic(false)
  private let hasPrepared = Atomic(false)
  private let semaphore = DispatchSemaphore(value: 0)
  private let owner: Owner

  init(_ owner: Owner) {
    self.owner = owner
  }

  func prepareToWait() {
    if hasPrepared.exchange(true, ordering: .relaxed) { return }
    Task {
      await owner.nothing()
      jobRan.store(true, ordering: .relaxed)
    }
  }

  func turn() {
    semaphore.wait()
  }

  func wake() {
    semaphore.signal()
  }
}
