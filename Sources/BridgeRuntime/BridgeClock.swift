/// The source of time. Everything that needs time gets a clock, so that tests can set it.
public protocol BridgeClock: Sendable {
  /// The present moment.
  var now: BridgeInstant { get }

  /// Suspends until `deadline`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  func sleep(until deadline: BridgeInstant) async throws
}

extension BridgeClock {
  /// Suspends for `duration`, counted from ``BridgeClock/now``.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  public func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration))
  }
}
