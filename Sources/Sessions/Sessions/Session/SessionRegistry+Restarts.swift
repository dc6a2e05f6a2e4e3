/// Sessions that begin again: with the next launch of the app, reset, installed anew, or deleted.
extension SessionRegistry {
  /// Relaunches the app. Its pages end. The stored state and the rules stay.
  ///
  /// - Parameter isKilled: Whether a rule has killed the app. Its pages then had no time to finish, so the linter does not report it.
  package func relaunch(_ session: Session, isKilled: Bool = false) {
    if session.state.isAbandoned { return }
    let rules = session.rules.list
    if !isKilled { session.tell(.testEnds) }
    session.tell(.appWillEnd)
    let next = restart(session, session.state.record)
    next.rules.carryOver(rules, from: session.rules)
    next.tell(.restarted(.relaunch))
  }

  /// Resets a session to its initial state. Its pages end. It keeps its name, platform, scenario and presentation mode, and the settings that
  /// bridges keep.
  package func reset(_ session: Session) {
    if session.state.isAbandoned { return }
    session.tell(.testEnds)
    var profile = session.profile
    profile.time = .servers
    profile.device = nil
    let next = restart(session, after: .reset, profile)
    if let scenario = profile.scenario { try? next.begin(scenario: scenario) }
    next.tell(.restarted(.reset))
  }

  /// Deletes the app of a session and installs it again. Its pages end, and the app's data is deleted. The person's data stays, such as
  /// orders, and so do the settings, rules and clock that tests have set.
  package func reinstall(_ session: Session) {
    if session.state.isAbandoned { return }
    session.tell(.testEnds)
    let rules = session.rules.list
    let next = restart(session, after: .reinstall, session.profile)
    next.rules.carryOver(rules, from: session.rules)
    next.tell(.restarted(.reset))
  }

  /// Restarts a session with this profile, and with the part of its states and of its bridges' settings that a loss leaves.
  private func restart(_ session: Session, after loss: StateLoss, _ profile: SessionProfile) -> Session {
    var profile = profile
    for bridge in session.bridgeTable.definitions {
      profile[bridge.name] = bridge.profile.afterReset(profile[bridge.name])
    }
    return restart(
      session,
      SessionRecord(
        session.state.record.statesRemaining(by: loss, new: newRecord), profile: profile,
        ownBridges: session.storedBridges))
  }

  /// - Parameter isStored: Whether the store already has this record.
  private func restart(_ session: Session, _ record: SessionRecord, isStored: Bool = false) -> Session {
    let rules = session.rules.list
    session.onEmpty = nil
    session.onLaunchLost = nil
    session.end()
    var record = record
    // All waits have ended, and the caller restores the rules that stay.
    record.profile.rules = nil
    record.profile.device = record.profile.device?.launched
    let stored = StoredSession(record: record, pages: [:])
    let writer = session.state.isDurable ? writer : nil
    let next = launch(
      session.key, writer: writer, stored: stored, journal: session.journal, lint: session.lint,
      ownBridges: session.ownBridges)
    next.takeOver(from: session)
    next.drive()
    next.onLaunchLost = { [weak self, weak next] in
      if let self, let next, sessionByKey[next.key] === next { undoRestart(next, rules) }
    }
    next.state.takeOver(from: session.state, isStored: isStored)
    return next
  }

  /// Begins a session again with the record and the rules that it had before its restart, which the store could not write. So nothing of the
  /// restart lasts, except that it was one.
  private func undoRestart(_ session: Session, _ rules: RuleList) {
    let next = restart(session, session.state.storedRecord, isStored: true)
    next.rules.carryOver(rules, from: session.rules)
    next.tell(.restarted(.relaunch))
  }

  /// Ends a session and deletes its state.
  ///
  /// - Throws: The reason why the store could not delete the state. The session then begins again with the next request for it.
  package func delete(_ session: Session) async throws(StoreFailure) {
    session.onEmpty = nil
    remove(session)
    if let failure = await deletions.begin(session).value { throw failure }
  }
}
