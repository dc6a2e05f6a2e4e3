import BridgeRuntime

/// The owner of a ``SessionState``.
@BridgeActor
protocol SessionStateDelegate: AnyObject {
  /// Returns the messages to pages about the changes so far, and the answers to their causes. They are stored with the changes.
  func takePageChanges() -> [PageChange]

  /// The changes up to the last ``takePageChanges()`` are stored, and perhaps later ones.
  func stateWasKept()

  /// The changes since the last ``stateWasKept()`` could not be stored.
  func stateWasLost(goingBackTo record: SessionRecord, from lost: SessionRecord, because failure: StoreFailure)

  /// Some time has passed since the changes were lost. The store may work again.
  func stateMayBeKeptAgain()
}
