import BridgeRuntime
import Foundation
import Synchronization

/// A run loop that counts its turns and wakes.
final class CountingRunLoop: BridgeRunLoop {
  let turns = Atomic(0)
  let wakes = Atomic(0)
  private let semaphore = DispatchSemaphore(value: 0)

  func turn() {
    turns.add(1, ordering: .relaxed)
    semaphore.wait()
  }

  func wake() {
    wakes.add(1, ordering: .relaxed)
    semaphore.signal()
  }
}
