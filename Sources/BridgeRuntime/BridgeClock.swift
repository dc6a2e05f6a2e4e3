/// The clock that everything with time in it is given; nothing takes time from the air.
public protocol BridgeClock: Sendable {
  /// The present moment.
  var now: BridgeInstant { get }

  /// Suspends until `deadline`, or throws `CancellationError` when the task is cancelled before.
  func sleep(until deadline: BridgeInstant) async throws
}

extension BridgeClock {
  /// Suspends for `duration`, counted from ``BridgeClock/now``.
  public func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration))
  }
}
