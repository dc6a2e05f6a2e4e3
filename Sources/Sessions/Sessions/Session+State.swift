import BridgeRuntime

/// Pages and the durable state of their session.
extension Session: SessionStateDelegate {
  func takePageChanges() -> [PageChange] { sessionPages.all.compactMap { $0.takeChange() } }

  func stateWasKept() {
    for page in sessionPages.all { page.changeWasKept() }
  }

  func stateWasLost(goingBackTo record: SessionRecord, from lost: SessionRecord, because failure: StoreFailure) {
    for bridge in bridges { bridge.stateWasLost() }
    clock.goBack(to: record.profile.time)
    apply(record.profile, insteadOf: lost.profile)
    for page in sessionPages.all { page.undo(because: failure) }
    releaseAfterTurn()
  }

  /// The store was replaced by an empty one.
  func storeWasReplaced() {
    for page in sessionPages.all { page.delivery.storeWasReplaced() }
    state.storeWasReplaced()
  }

  func stateMayBeKeptAgain() {
    for bridge in bridges { bridge.stateMayBeKeptAgain() }
  }
}
