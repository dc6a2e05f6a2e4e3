package import BridgeCore
package import BridgeRuntime

/// What is set about a session.
extension Session {
  /// What is set about the session; a change takes effect at once. What a page was told of its platform stays until it is loaded anew.
  package var profile: SessionProfile {
    get { state.record.profile }
    set {
      let old = profile
      state.record.profile = newValue
      apply(newValue, insteadOf: old)
    }
  }

  /// Has everything follow a profile.
  func apply(_ profile: SessionProfile, insteadOf old: SessionProfile) {
    sheets.mode = profile.present ?? options.present
    for (definition, bridge) in zip(bridgeTable.definitions, bridges) {
      bridge.profileChanged(from: old[definition.name])
    }
  }

  /// The platform that pages are told.
  package var platform: Platform { profile.platform ?? options.platform }

  /// Stops the session's clock, or has it go on from where it stands, and then puts it to `now`, if there is such.
  package func setClock(frozen: Bool? = nil, now: BridgeInstant? = nil) {
    if let frozen { clock.setFrozen(frozen) }
    if let now { clock.set(now) }
    profile.time = clock.time
  }
}
