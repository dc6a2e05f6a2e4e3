import Foundation

/// The run loop of a process without a server: it waits for jobs and for nothing else.
final class ConditionRunLoop: BridgeRunLoop {
  private let wakes = DispatchSemaphore(value: 0)

  func turn() {
    wakes.wait()
  }

  func wake() {
    wakes.signal()
  }
}
