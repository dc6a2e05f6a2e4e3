package import BridgeCore
package import BridgeRuntime

/// The profile of a session.
extension Session {
  /// The session's profile. Changes take effect at once. Pages learn of another platform when they load again.
  package var profile: SessionProfile {
    get { state.record.profile }
    set {
      let old = profile
      state.record.profile = newValue
      apply(newValue, insteadOf: old)
    }
  }

  /// Applies a profile.
  func apply(_ profile: SessionProfile, insteadOf old: SessionProfile) {
    sheets.mode = profile.present ?? options.present
    for (definition, bridge) in zip(bridgeTable.definitions, bridges) {
      bridge.profileChanged(from: old[definition.name])
    }
  }

  /// The platform that is reported to pages.
  package var platform: Platform { profile.platform ?? options.platform }

  /// Freezes the session's clock or lets it continue, then sets it to `now` unless that is nil.
  package func setClock(frozen: Bool? = nil, now: BridgeInstant? = nil) {
    if let frozen { clock.setFrozen(frozen) }
    if let now { clock.set(now) }
    profile.time = clock.time
  }
}
