import BridgeRuntime

/// Whoever a ``SessionState`` is of.
@BridgeActor
protocol SessionStateDelegate: AnyObject {
  /// What pages are told of the changes so far, and the answers to what has caused them. It is about to be kept with them.
  func takePageChanges() -> [PageChange]

  /// The changes up to the last ``takePageChanges()`` are kept, and perhaps all.
  func stateWasKept()

  /// The changes since the last ``stateWasKept()`` could not be kept.
  func stateWasLost(goingBackTo record: SessionRecord, from lost: SessionRecord, because failure: StoreFailure)

  /// A while has passed since the changes were lost.
  func stateMayBeKeptAgain()
}
