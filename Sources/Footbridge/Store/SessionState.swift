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

  /// What outlives the launch. Each change goes to the store.
  var record: SessionRecord {
    didSet { changed(record) }
  }

  private let key: SessionKey
  private let store: SessionStore?
  private let logger: Logger
  private var latest: SessionRecord??
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Without a store nothing is kept, and nothing waits.
  init(key: SessionKey, record: SessionRecord, store: SessionStore?, logger: Logger) {
    self.key = key
    self.record = record
    self.store = store
    self.logger = logger
  }

  /// Has the store keep what is there, changed or not.
  func keep() {
    changed(record)
  }

  /// Has the store forget the session.
  func forget() {
    changed(nil)
  }

  private func changed(_ record: SessionRecord?) {
    guard let store else { return }
    latest = .some(record)
    if isUnkept { return }
    isUnkept = true
    Task { await keep(in: store) }
  }

  /// Returns once everything is kept that had changed.
  func kept() async {
    guard isUnkept else { return }
    await withCheckedContinuation { waiters.append($0) }
  }

  private func keep(in store: SessionStore) async {
    while let record = latest {
      latest = nil
      do {
        try await store.keep(record, of: key.rawValue)
      } catch {
        logger.error("A session's state could not be kept: \(error). It will be lost when the server stops.")
      }
    }
    isUnkept = false
    onKept?()
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }
}
