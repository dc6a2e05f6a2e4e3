/// What the thread of ``BridgeExecutor`` does while it has no job: the slot into which the server puts the libwebsockets loop.
public protocol BridgeRunLoop: AnyObject, Sendable {
  /// Does what is left to do before a wait, on the executor's thread. Jobs that this gives rise to run before the wait.
  func prepareToWait()

  /// Waits for something to happen and handles it, on the executor's thread. Returns after one turn, or soon after ``wake()``.
  ///
  /// A wake that comes before the wait starts must not be lost: the next turn returns at once.
  func turn()

  /// Ends the current turn, or the next one if none is under way. Called from any thread.
  func wake()
}

extension BridgeRunLoop {
  /// Does nothing.
  public func prepareToWait() {}
}
