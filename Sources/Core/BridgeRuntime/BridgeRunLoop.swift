import Essentials

/// What the thread of ``BridgeExecutor`` does while it has no job. A server installs the libwebsockets loop here.
public protocol BridgeRunLoop: AnyObject, Sendable {
  /// Finishes pending work before a wait, on the executor's thread. Jobs that this creates run before the wait.
  func prepareToWait()

  /// Waits for an event and handles it, on the executor's thread. Returns after one turn, or soon after ``wake()``.
  ///
  /// After a ``wake()`` that comes before the wait starts, the next turn returns at once.
  func turn()

  /// Ends the current turn or, if there is none, the next one. Called from any thread.
  func wake()
}

/// A loop leaves this out if it needs no preparation.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension BridgeRunLoop {
  public func prepareToWait() {}
}

/// The run loop of a process without a server: it only waits for jobs.
final class ConditionRunLoop: BridgeRunLoop {
  private let wakes = DispatchSemaphore(value: 0)

  func turn() {
    wakes.wait()
  }

  func wake() {
    wakes.signal()
  }
}
