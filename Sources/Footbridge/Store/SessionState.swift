import BridgeRuntime
import Logging
import Onside

/// The durable state of one session on its way to the store: what a page is told of a change waits until the change is kept.
@BridgeActor
final class SessionState {
  /// Called when everything is kept that had changed.
  var onKept: (() -> Void)?
  /// Whether something has changed that is not kept yet.
  private(set) var isUnkept = false

  private let sessionID: String
  private let store: SessionStore?
  private let logger: Logger
  private var latest: OnsideState?

  /// Without a store nothing is kept, and nothing waits.
  init(sessionID: String, store: SessionStore?, logger: Logger) {
    self.sessionID = sessionID
    self.store = store
    self.logger = logger
  }

  /// The state has changed.
  func changed(_ state: OnsideState) {
    guard let store else { return }
    latest = state
    if isUnkept { return }
    isUnkept = true
    Task { await keep(in: store) }
  }

  private func keep(in store: SessionStore) async {
    while let state = latest {
      latest = nil
      do {
        try await store.keep(state, of: sessionID)
      } catch {
        logger.error("A session's state could not be kept: \(error). It will be lost when the server stops.")
      }
    }
    isUnkept = false
    onKept?()
  }
}
