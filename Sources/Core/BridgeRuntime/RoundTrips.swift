/// Makes what a simulated server answers take as long as a round trip to a real one, in real time: also if a session's clock stands still.
///
/// Whatever a page sends in one turn is then known before the first answer, as on a device. Round trips of tasks
/// that ``BridgeActor/begin(_:)`` has started end in the order in which they have begun.
@BridgeActor
public final class RoundTrips {
  private struct Trip {
    let end: ContinuousClock.Instant
    let continuation: CheckedContinuation<Void, Never>
  }

  /// How long a round trip takes; zero for no time at all.
  public nonisolated let duration: Duration
  private var trips: [Trip] = []
  private var work: Task<Void, Never>?

  /// How many turns of the run loop follow. On a busy machine, what has come during the trip may not have been read at its end.
  private nonisolated static let turns = 2

  /// Creates round trips that take this time.
  public nonisolated init(_ duration: Duration) {
    self.duration = duration
  }

  /// Suspends for a round trip that begins now. Returns at once if it takes no time. Cancellation does not end it early.
  public func wait() async {
    guard duration > .zero else { return }
    await withCheckedContinuation { continuation in
      trips.append(Trip(end: .now + duration, continuation: continuation))
      if work == nil { work = Task.detached { await self.run() } }
    }
  }

  private func run() async {
    while let first = trips.first {
      try? await Task.sleep(until: first.end, clock: .continuous)
      await Self.settle()
      let now = ContinuousClock.now
      let ended = trips.prefix { $0.end <= now }
      trips.removeFirst(ended.count)
      for trip in ended { trip.continuation.resume() }
    }
    work = nil
  }

  /// Suspends until everything has been read that has come so far.
  public nonisolated static func settle() async {
    for _ in 0..<turns { await BridgeExecutor.shared.turn() }
  }
}
