import BridgeRuntime
import Essentials

/// The maintenance of the store.
extension SessionRegistry {
  /// The time between two runs of the maintenance.
  private static let maintenanceInterval = Duration.seconds(3600)
  /// How long pages whose replica has ended may take to come back, in seconds. The clocks of replicas may differ.
  private static let returnTime = 300.0

  /// Reads a session from the store; nil if it is unknown, or being deleted. Replaces a damaged store.
  ///
  /// - Throws: An error if the store cannot be read.
  func stored(_ key: SessionKey) async throws -> StoredSession? {
    while true {
      await deletions.finished(key)
      let (deletionCount, replacementCount) = (deletions.endedCount, storeReplacementCount)
      let stored = try await read(key)
      // A deletion may have begun or ended meanwhile, or the store may have been replaced by an empty one.
      if !deletions.isUnderWay(key), deletions.endedCount == deletionCount, storeReplacementCount == replacementCount {
        return stored
      }
    }
  }

  private func read(_ key: SessionKey) async throws -> StoredSession? {
    guard let store else { return nil }
    try checkOwned(key)
    var stored: StoredSession?
    let fence = ownership.fence(of: key.rawValue)
    do {
      stored = try await store.session(key.rawValue, fence: fence)
    } catch let error as StoreUnavailable where store.mayBeDamage(error.cause) {
      await examineStore()
      stored = try await store.session(key.rawValue, fence: fence)
    } catch let error as UnreadableSession {
      // A replica of another version may be able to read it.
      if sessionByKey[key] == nil { ownership.release(key.rawValue) }
      throw error
    }
    // The time of the last use matters only to the day, so it is stored at most once a day.
    if let lastUse = stored?.lastUse, lastUse.timeIntervalSinceNow < -86_400 {
      Task { await store.use(key.rawValue, fence: fence) }
    }
    return stored
  }

  /// Returns what the store surely has of a session when its first change is written; nil if the store may be about to delete the session,
  /// because it does not outlast its pages, or because it was not used for some time: then its row gets the time of this use.
  func certain(_ stored: StoredSession) -> SessionRecord? {
    let timeout = Double(options.limits.storedSessionTimeout.components.seconds)
    guard stored.isLasting, let lastUse = stored.lastUse, -lastUse.timeIntervalSinceNow < min(86_400, timeout / 20)
    else { return nil }
    return stored.record
  }

  /// Launches the stored sessions in whose profile a bridge has this member: they have work that needs no page.
  package func launchStored(withMember member: String, of bridge: String) async {
    guard let store else { return }
    do {
      for key in try await store.keys(withMember: member, of: bridge, limit: options.limits.idleSessions) {
        do { _ = try await session(SessionKey(rawValue: key)) } catch is SessionElsewhere {
          // The replica that owns it launches it.
        } catch let error as UnreadableSession {
          logger.warning("A stored session with unfinished work could not be launched: \(error)")
        }
      }
    } catch {
      logger.warning("Stored sessions with unfinished work could not be launched: \(error).")
    }
  }

  /// Checks a store that was not closed properly, then regularly deletes sessions that were not used for a long time.
  func lookAfter(_ store: SessionStore) async {
    let begin = Date()
    if store.needsCheck { await examineStore() }
    // Keep sessions that end with their pages: pages of an earlier run of the server may still come back.
    await forgetUnused(store, endedBefore: .distantPast)
    var interval = Session.reconnectionTime
    while !Task.isCancelled {
      do { try await clock.sleep(for: interval) } catch { return }
      await forgetUnused(store, endedBefore: begin)
      interval = Self.maintenanceInterval
    }
  }

  private func forgetUnused(_ store: SessionStore, endedBefore ended: Date) async {
    let timeout = options.limits.storedSessionTimeout
    if !ownership.hasLease { return }
    // Pages of a replica that has ended may still come back, too.
    let ended = !ownership.isShared ? ended : min(ended, Date(timeIntervalSinceNow: -Self.returnTime))
    do {
      try await store.forget(
        endedBefore: ended, unusedSince: Date(timeIntervalSinceNow: -Double(timeout.components.seconds)),
        except: Set(sessionByKey.keys.map(\.rawValue)), by: ownership.replicaID)
      try await store.forgetSnapshots(unusedSince: Date(timeIntervalSinceNow: -Double(timeout.components.seconds)))
    } catch {
      logger.warning("Sessions and snapshots that were not used for a long time could not be deleted: \(error).")
    }
  }

  /// Checks a store that may be damaged. If it is, replaces it by a new one, and writes all running sessions to that. If only the disk cannot
  /// read it, waits for the disk.
  func examineStore() async {
    // Many sessions may meet the damage at the same time.
    let task =
      examination
      ?? Task {
        await examineStoreNow()
        examination = nil
      }
    examination = task
    await task.value
  }

  private func examineStoreNow() async {
    guard let store else { return }
    for _ in 0..<Self.examinationLimit {
      switch await store.check() {
      case .whole:
        if isStoreUnreadable { logger.notice("The disk can read the store again.") }
        isStoreUnreadable = false
        return
      case .damaged: return await replaceDamagedStore(store)
      case .unreadable(let reason):
        if !isStoreUnreadable {
          logger.error(
            "The disk cannot read the store: \(reason). The server tries again, and leaves the store as it is.")
        }
        isStoreUnreadable = true
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  private func replaceDamagedStore(_ store: SessionStore) async {
    do { try await store.replaceDamaged() } catch { logger.error("\(error)") }
    storeReplacementCount += 1
    for session in sessionByKey.values { session.storeWasReplaced() }
  }

  /// How often a store that the disk cannot read is checked for those who wait, a second apart.
  private static let examinationLimit = 5
}
