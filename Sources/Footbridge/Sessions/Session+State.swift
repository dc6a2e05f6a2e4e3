import BridgeRuntime

/// What becomes of a session's pages with its durable state.
extension Session: SessionStateDelegate {
  /// Has pages send what waits once the present turn is over: whatever it changes is known then.
  func releaseAfterTurn() {
    if willRelease { return }
    willRelease = true
    Task { [weak self] in
      guard let self else { return }
      willRelease = false
      for page in pages { page.release() }
    }
  }

  /// The pages, those included that have not come back yet.
  var allPages: [Page] { pages + absentPages.values }

  func takeJournals() -> [PageJournal] { allPages.compactMap { $0.takeJournal() } }

  func stateWasKept() {
    for page in allPages { page.journalWasKept() }
  }

  func stateWasLost(goingBackTo record: SessionRecord, from lost: SessionRecord, because failure: StoreFailure) {
    onside.rollBack(to: record.onside)
    clock.goBack(to: record.profile.time)
    apply(record.profile, insteadOf: lost.profile)
    for page in allPages { page.undo(because: failure) }
    releaseAfterTurn()
  }

  /// The store has begun anew, with nothing in it.
  func storeWasReplaced() {
    for page in allPages { page.delivery.storeWasReplaced() }
    state.storeWasReplaced()
  }

  func stateMayBeKeptAgain() {
    onside.goOn()
  }
}
