import BridgeRuntime
import DequeModule

/// Reads sessions for many requests in one transaction. Sessions that are requested during a read are read together afterwards.
///
/// When a server of several ends, thousands of sessions are requested at the same time. With one transaction for each, the database would do
/// three times the work.
@BridgeActor
final class GatheredReads {
  typealias Read = @Sendable (_ keys: [String]) async throws -> [String: Result<StoredSession, any Error>]

  /// How many reads run at the same time. The store has as many connections for them.
  private static let mostAtOnce = 2

  /// The requested sessions whose read has not begun.
  private var waiting = Deque<(key: String, continuation: CheckedContinuation<StoredSession?, any Error>)>()
  private var running = 0
  private let read: Read

  /// - Parameter read: Reads sessions, at most ``StoreQuery/mostKeys``.
  nonisolated init(_ read: @escaping Read) {
    self.read = read
  }

  /// Returns a session; nil if it is unknown.
  ///
  /// - Throws: `DecodingError` if the session is damaged; any error that prevents the read.
  func session(_ key: String) async throws -> StoredSession? {
    try await withCheckedThrowingContinuation { continuation in
      waiting.append((key, continuation))
      readNext()
    }
  }

  private func readNext() {
    guard running < Self.mostAtOnce, !waiting.isEmpty else { return }
    running += 1
    let group = Array(waiting.prefix(StoreQuery.mostKeys))
    waiting.removeFirst(group.count)
    Task {
      let sessions = await sessions(Array(Set(group.map(\.key))))
      running -= 1
      readNext()
      for (key, continuation) in group { continuation.resume(with: sessions(key)) }
    }
  }

  /// Reads sessions. If that fails because of one of them, the others are still read.
  private func sessions(_ keys: [String]) async -> (_ key: String) -> Result<StoredSession?, any Error> {
    do {
      let sessions = try await read(keys)
      return { key in Result { try sessions[key]?.get() } }
    } catch  where keys.count > 1 && !(error is StoreUnavailable) {
      var results: [String: Result<StoredSession?, any Error>] = [:]
      for key in keys { results[key] = await sessions([key])(key) }
      return { key in results[key] ?? .success(nil) }
    } catch {
      return { _ in .failure(error) }
    }
  }
}
