import BridgeRuntime

/// The sessions whose state is being deleted from the store. Until that is done, nobody may read the state.
@BridgeActor
final class SessionDeletions {
  private var tasks: [SessionKey: Task<StoreFailure?, Never>] = [:]
  /// The number of deletions that have ended.
  private(set) var endedCount = 0

  nonisolated init() {}

  /// Deletes the state of a session that the registry has removed.
  ///
  /// - Returns: The reason why the store could not delete it; nil if it could.
  @discardableResult
  func begin(_ session: Session) -> Task<StoreFailure?, Never> {
    session.state.forget()
    let task = Task { [weak self] in
      var failure: StoreFailure?
      do throws(StoreFailure) { try await session.state.waitUntilStored() } catch { failure = error }
      self?.tasks[session.key] = nil
      self?.endedCount += 1
      return failure
    }
    tasks[session.key] = task
    return task
  }

  /// Whether the state of a session is being deleted.
  func isUnderWay(_ key: SessionKey) -> Bool { tasks[key] != nil }

  /// Waits until the state of a session is not being deleted any more.
  func finished(_ key: SessionKey) async { _ = await tasks[key]?.value }
}
