import BridgeServer
import BridgeRuntime
import Logging
import Sessions

/// The answers to requests with an `Idempotency-Key`. If servers share a database, the answers are in it. Otherwise they are in memory, and
/// the first such request reads the answers of an earlier run.
@BridgeActor
final class AnsweredRequests {
  /// A request that is being answered.
  struct Open: Sendable {
    fileprivate let key: IdempotencyKey
    fileprivate let hash: [UInt8]
    fileprivate let end: BridgeInstant
    fileprivate let shared: SharedAnswers?

    /// The record in the store, in case the request is sent again.
    func kept(_ bytes: [UInt8]) -> KeptAnswer {
      KeptAnswer(id: key.id, request: hash, end: end, sealed: key.seal(bytes), holder: shared?.holder)
    }
  }

  private let sessions: SessionRegistry
  private let clock: any BridgeClock
  private let logger: Logger
  private var keys = IdempotencyKeys()
  /// Reads the answers of an earlier run of the server.
  private var restoring: Task<Void, Never>?

  init(sessions: SessionRegistry, clock: any BridgeClock, logger: Logger) {
    self.sessions = sessions
    self.clock = clock
    self.logger = logger
  }

  /// A request begins. If it is new, call ``finish(_:with:)`` or ``forget(_:)`` in the end.
  ///
  /// - Parameter hash: The hash of its method, path and body.
  /// - Throws: ``ControlProblem`` if the database cannot be reached.
  func begin(
    _ key: IdempotencyKey, _ hash: [UInt8]
  ) async throws -> (verdict: KeptAnswer.Verdict, request: Open) {
    let now = clock.now
    let open = Open(
      key: key, hash: hash, end: now.advanced(by: KeptAnswer.lifetime), shared: sessions.sharedAnswers)
    if let shared = open.shared {
      do { return (try await shared.begin(open.kept([]), at: now), open) } catch {
        logger.warning("A request could not be looked up: \(error)")
      }
    }
    guard !sessions.isStoreShared else {
      throw ControlProblem.noLease
    }
    await restore()
    return (keys.begin(key.id, hash, at: now), open)
  }

  /// The request is answered. `bytes` is nil for an answer that cannot be given twice.
  func finish(_ request: Open, with bytes: [UInt8]?) async {
    guard let bytes else { return await forget(request) }
    let answer = request.kept(bytes)
    guard let shared = request.shared else { return keys.finish(answer.id, with: answer.sealed) }
    do { try await shared.finish(answer) } catch { logger.warning("An answer could not be kept: \(error)") }
  }

  /// The request had no effect. It may be sent again.
  func forget(_ request: Open) async {
    guard let shared = request.shared else { return keys.forget(request.key.id) }
    do { try await shared.forget(request.key.id) } catch {
      logger.warning("A request could not be forgotten: \(error)")
    }
  }

  private func restore() async {
    if restoring == nil {
      restoring = Task { for answer in await sessions.keptAnswers() { keys.restore(answer) } }
    }
    await restoring?.value
  }
}
