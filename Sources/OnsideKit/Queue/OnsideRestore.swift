import BridgeRuntime

/// A restore that was asked for and has not ended; it waits while the queue has no observer.
@BridgeActor
final class OnsideRestore {
  let accountID: String
  var task: Task<Void, Never>?

  init(accountID: String) {
    self.accountID = accountID
  }
}
