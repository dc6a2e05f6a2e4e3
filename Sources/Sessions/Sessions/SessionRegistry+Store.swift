import BridgeRuntime
import Essentials

/// What is done with the store besides reading and writing sessions.
extension SessionRegistry {
  /// How long the upkeep waits from one time to the next.
  private static let upkeepInterval = Duration.seconds(3600)

  /// What there is of a session; nil for one that is not known. A store that turns out to be damaged begins anew.
  ///
  /// - Throws: when the store cannot be read.
  func stored(_ key: SessionKey) async throws -> StoredSession? {
    guard let store else { return nil }
    var stored: StoredSession?
    do {
      stored = try await store.session(key.rawValue)
    } catch  where StoreFailure(error).isDamage {
      await replaceDamagedStore()
      stored = try await store.session(key.rawValue)
    }
    // Once a day is often enough for what is counted in days.
    if let lastUse = stored?.lastUse, lastUse.timeIntervalSinceNow < -86_400 {
      Task { await store.use(key.rawValue) }
    }
    return stored
  }

  /// Checks a store that was not closed, and from time to time has it forget sessions that nobody has used for long.
  func lookAfter(_ store: SessionStore) async {
    let begin = Date()
    if store.needsCheck, await !store.check() { await replaceDamagedStore() }
    // The pages that an earlier run of the server has left may still come back.
    await forgetUnused(store, endedBefore: .distantPast)
    var interval = Session.reconnectionTime
    while !Task.isCancelled {
      do { try await clock.sleep(for: interval) } catch { return }
      await forgetUnused(store, endedBefore: begin)
      interval = Self.upkeepInterval
    }
  }

  private func forgetUnused(_ store: SessionStore, endedBefore ended: Date) async {
    let timeout = options.limits.storedSessionTimeout
    do {
      try await store.forget(
        endedBefore: ended, unusedSince: Date(timeIntervalSinceNow: -Double(timeout.components.seconds)),
        except: Set(sessionByKey.keys.map(\.rawValue)))
    } catch {
      logger.warning("Sessions that nobody has used for long could not be forgotten: \(error).")
    }
  }

  /// Has a damaged store begin anew. What is running is written into it.
  func replaceDamagedStore() async {
    // Whoever hears of the damage later than others finds a store that is whole.
    guard let store, await !store.check() else { return }
    do {
      try await store.replaceDamaged()
    } catch {
      return logger.error("\(error)")
    }
    for session in sessionByKey.values { session.storeWasReplaced() }
  }
}
