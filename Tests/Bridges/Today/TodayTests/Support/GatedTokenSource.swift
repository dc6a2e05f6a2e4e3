import BridgeRuntime
import Synchronization
import Today

/// A source whose refreshes wait until the test lets them end.
final class GatedTokenSource: TokenSource {
  private struct State {
    var started = 0
    var open: [CheckedContinuation<Result<AccessToken, TokenError>, Never>] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// How many refreshes were started.
  var started: Int { state.withLock { $0.started } }

  func refresh() async throws(TokenError) -> AccessToken {
    try await withCheckedContinuation { continuation in
      let waiters = state.withLock { state in
        state.started += 1
        state.open.append(continuation)
        let started = state.started
        let due = state.waiters.filter { $0.count <= started }
        state.waiters.removeAll { $0.count <= started }
        return due
      }
      for waiter in waiters { waiter.continuation.resume() }
    }.get()
  }

  /// Waits until so many refreshes were started in all.
  func started(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        if state.started >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isDue { continuation.resume() }
    }
  }

  /// Ends the refresh that was started first of those that are still open.
  func finish(_ outcome: Result<AccessToken, TokenError>) {
    state.withLock { $0.open.isEmpty ? nil : $0.open.removeFirst() }?.resume(returning: outcome)
  }

  /// Ends it with a token.
  func finish(token: String, lifetime: Duration? = nil, at now: BridgeInstant = ManualBridgeClock().now) throws {
    finish(.success(try AccessToken(token, lifetime: lifetime, issuedAt: now)))
  }
}
