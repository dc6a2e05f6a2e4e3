package import BridgeCore
package import BridgeRuntime
import Delivery

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

  /// Applies a changed profile.
  func apply(_ profile: SessionProfile, insteadOf old: SessionProfile) {
    sheets.mode = profile.present ?? options.present
    for (definition, bridge) in zip(bridgeTable.definitions, bridges) {
      bridge.received(.profileChanged(from: old[definition.name]))
    }
  }

  /// The platform that is reported to pages.
  package var platform: Platform { profile.platform ?? options.platform }

  /// Freezes the session's clock or lets it continue, then sets it to `now` unless that is nil.
  package func setClock(frozen: Bool? = nil, now: BridgeInstant? = nil) {
    if frozen == nil, now == nil { return }
    if let frozen { clock.setFrozen(frozen) }
    if let now { clock.set(now) }
    profile.time = clock.time
    tell(.clockChanged)
  }
}

/// Pages and the durable state of their session.
extension Session: SessionStateDelegate {
  func takePageChanges() -> [PageChange] { sessionPages.all.compactMap { $0.link.takeChange() } }

  func stateWasStored() {
    for page in sessionPages.all { page.changeWasStored() }
  }

  func stateWasLost(goingBackTo record: SessionRecord, from lost: SessionRecord, because failure: StoreFailure) {
    tell(.stateLost)
    clock.rollBack(to: record.profile.time)
    apply(record.profile, insteadOf: lost.profile)
    if rules.isStored { rules.rollBack(to: record.profile.rules ?? StoredRules(), read: readRule) }
    for page in sessionPages.all { page.undo(because: failure) }
    releaseAfterTurn()
  }

  func launchWasLost() { onLaunchLost?() }

  /// Stores everything again, since the store was replaced by an empty one.
  func storeWasReplaced() {
    for page in sessionPages.all { page.link.storeWasReplaced() }
    state.storeWasReplaced()
  }

  func stateMayBeStoredAgain() {
    tell(.storeMayWork)
  }
}
