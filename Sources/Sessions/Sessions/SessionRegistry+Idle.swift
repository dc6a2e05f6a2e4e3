import BridgeRuntime

/// Sessions that nobody has a page in. They end as an app does whose device needs the memory: what is kept stays. One in which nothing has
/// happened that must last ends for good.
extension SessionRegistry {
  /// Makes room for a session, when there are as many without a page as there may be: those that were idle for longest end, some at once.
  func endIdleSessionsAboveLimit() {
    let limit = options.limits.idleSessions
    guard sessionByKey.count >= limit else { return }
    let idle = idleSessions
    guard idle.count >= limit else { return }
    bounds.note(
      "There are as many sessions without a page as there may be; those that were idle for longest have ended.")
    let ending = idle.sorted { $0.lastUse < $1.lastUse }.prefix(idle.count - limit + 1 + limit / 100)
    for session in ending { remove(session) }
  }

  /// The last page of a session has ended. If nothing has happened in it that must last, it ends, too, after the time that a page may
  /// take to come back.
  func endUnlessLasting(_ session: Session) {
    if session.isLasting { return }
    Task { [weak self, weak session, clock] in
      try? await clock.sleep(for: Session.reconnectionTime)
      if let self, let session { endIfOver(session) }
    }
  }

  private func endIfOver(_ session: Session) {
    guard sessionByKey[session.key] === session, session.pages.isEmpty, !session.isLasting,
      session.lastUse.duration(to: clock.now) >= Session.reconnectionTime
    else { return }
    remove(session)
    session.state.forget()
  }

  /// Ends the sessions that were idle for too long.
  func endIdleSessions() {
    let now = clock.now
    for session in idleSessions { endIfOver(session) }
    let overdue = idleSessions.filter { $0.lastUse.duration(to: now) >= options.limits.sessionIdleTimeout }
    if !overdue.isEmpty { bounds.note("Sessions that were without a page for long have ended.") }
    for session in overdue { remove(session) }
  }

  /// Those that can end without loss of what is on its way to the store.
  private var idleSessions: [Session] {
    sessionByKey.values.filter { $0.pages.isEmpty && !$0.state.isPending }
  }
}
