import BridgeRuntime

/// Sessions without a page. They end like an app whose device needs the memory: their stored state stays. If nothing in a session must last,
/// the session is deleted.
extension SessionRegistry {
  /// Ends the sessions that were idle for longest if there are too many, several at a time.
  func endIdleSessionsAboveLimit() {
    let limit = options.limits.idleSessions
    guard sessionByKey.count >= limit else { return }
    let idle = idleSessions
    guard idle.count >= limit else { return }
    limitLog.note(
      "The limit of sessions without a page is reached. Those that were idle for longest have ended.")
    let ending = idle.sorted { $0.lastUse < $1.lastUse }.prefix(idle.count - limit + 1 + limit / 100)
    for session in ending { remove(session) }
  }

  /// Ends a session whose last page has ended, unless the session must last. First waits for the time that a page has to come back.
  func endUnlessLasting(_ session: Session) {
    if session.isLasting { return }
    Task { [weak self, weak session, clock] in
      try? await clock.sleep(for: Session.reconnectionTime)
      if let self, let session { endIfOver(session) }
    }
  }

  private func endIfOver(_ session: Session) {
    guard sessionByKey[session.key] === session, session.pages.isEmpty, !session.hasSuspendedPages, !session.isLasting,
      session.lastUse.duration(to: clock.now) >= Session.reconnectionTime
    else { return }
    remove(session)
    deletions.begin(session)
  }

  /// Ends the sessions that were idle for too long.
  func endIdleSessions() {
    let now = clock.now
    for session in idleSessions { endIfOver(session) }
    let overdue = idleSessions.filter { $0.lastUse.duration(to: now) >= options.limits.sessionIdleTimeout }
    if !overdue.isEmpty { limitLog.note("Sessions that were idle without a page for too long have ended.") }
    for session in overdue { remove(session) }
  }

  /// The sessions without a page that have no unstored changes.
  private var idleSessions: [Session] {
    sessionByKey.values.filter { $0.pages.isEmpty && !$0.state.isPending }
  }
}
