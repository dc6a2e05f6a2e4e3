/// Sessions that nobody has a page in. They end as an app does whose device needs the memory: what is kept stays.
extension Sessions {
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

  /// Ends the sessions that were idle for too long.
  func endIdleSessions() {
    let now = clock.now
    let overdue = idleSessions.filter { $0.lastUse.duration(to: now) >= options.limits.sessionIdleTimeout }
    if !overdue.isEmpty { bounds.note("Sessions that were without a page for long have ended.") }
    for session in overdue { remove(session) }
  }

  /// Those that can end without loss of what is on its way to the store.
  private var idleSessions: [Session] {
    sessionByKey.values.filter { $0.pages.isEmpty && !$0.state.isUnkept }
  }
}
