package import BridgeRuntime

/// The state of a session at one moment, with which another session can begin: everything that outlives a launch. Making and using a
/// snapshot copies nothing: the values are shared until one of the sessions changes them.
package struct SessionSnapshot: Sendable {
  /// The session's settings.
  package var profile: SessionProfile
  /// The bridges' states, one of each type at the most.
  package var states: [any BridgeState]
  /// The time of the session's clock; nil if it showed the server's time.
  package var clock: (now: BridgeInstant, isFrozen: Bool)?
  /// Whether it is the snapshot of a new session, apart from its world. The session then begins with the default scenario.
  var isNew = false

  /// Creates a snapshot of these parts.
  package init(profile: SessionProfile, states: [any BridgeState], clock: (now: BridgeInstant, isFrozen: Bool)?) {
    self.profile = profile
    self.profile.stream = nil
    self.profile.rules = nil
    self.profile.laterMembers = [:]
    self.profile.time = .servers
    self.profile.device = profile.device?.launched
    self.states = states
    self.clock = clock
  }

  /// Returns the record of a session that begins with the snapshot now. If the session had its own time, its clock continues from there.
  func record(at serverNow: BridgeInstant) -> SessionRecord {
    var profile = profile
    if let (now, isFrozen) = clock {
      let ahead = now.millisecondsSinceEpoch - serverNow.millisecondsSinceEpoch
      profile.time = isFrozen ? .frozen(at: now.millisecondsSinceEpoch) : .running(ahead: ahead)
    }
    return SessionRecord(states, profile: profile)
  }

  /// Returns the snapshot with new ids of orders, and of everything else by which the server finds a session.
  func withNewServerWideIDs(_ random: BridgeRandom) -> SessionSnapshot {
    func renamed<State: BridgeState>(_ state: State) -> any BridgeState { state.withNewServerWideIDs(random) }
    return SessionSnapshot(profile: profile, states: states.map { renamed($0) }, clock: clock)
  }
}

extension Session {
  /// The present state of the session.
  package var snapshot: SessionSnapshot {
    func carried<State: BridgeState>(_ state: State) -> any BridgeState { state.carried }
    let time = clock.time
    var profile = profile
    for bridge in bridgeTable.definitions + bridgeTable.definitionsOff {
      profile[bridge.name] = bridge.profile.copied(profile[bridge.name])
    }
    return SessionSnapshot(
      profile: profile, states: state.record.states.map { carried($0) },
      clock: time == .servers ? nil : (clock.now, time.isFrozen))
  }
}
