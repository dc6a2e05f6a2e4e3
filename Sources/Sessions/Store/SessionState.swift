package import BridgeRuntime
import Essentials
import Logging

/// The durable state of one session on its way to the store: what a page is told of a change waits until the change is kept.
@BridgeActor
package final class SessionState {
  /// How long the session stands still after the store has failed, before it is tried again.
  static let retryTime = Duration.seconds(1)

  /// The owner of the state.
  weak var delegate: (any SessionStateDelegate)?
  /// Whether something has changed that is not kept yet, and that pages hear of only when it is.
  var isUnkept: Bool { hasLoudChange || isWritingLoudChange }
  /// Whether something has changed that is not kept yet, whoever hears of it.
  var isPending: Bool { isChanged || isWriting }
  /// Whether there is a store. Without one nothing is kept, and nothing waits.
  nonisolated let isDurable: Bool

  /// What outlives the launch. Each change goes to the store.
  var record: SessionRecord {
    didSet { if isTold { changed() } }
  }

  private let key: SessionKey
  /// Whether a record outlasts the session's pages.
  private let isLasting: (SessionRecord) -> Bool
  private let writer: StateWriter?
  private let logger: Logger
  /// Whether a new record is a change.
  private var isTold = true
  /// What the store has, or would have if there were nothing but the launch.
  private var lastKept: SessionRecord
  private var endedPages: [String] = []
  private var isForgotten = false
  /// Whether there are changes that no write has taken along, …
  private var isChanged = false
  /// … and some among them that pages wait for.
  private var hasLoudChange = false
  /// Whether changes are being written, …
  private var isWriting = false
  /// … and some among them that pages wait for.
  private var isWritingLoudChange = false
  /// Whether changes are quiet at present.
  private var isQuiet = false
  private var isFirst = true
  /// What the store has of ``isLasting``.
  private var isKeptAsLasting: Bool?
  private var isFailing = false
  private var waiters: [CheckedContinuation<Bool, Never>] = []

  init(
    key: SessionKey, record: SessionRecord, writer: StateWriter?, logger: Logger,
    isLasting: @escaping (SessionRecord) -> Bool = { _ in true }
  ) {
    self.key = key
    self.isLasting = isLasting
    self.record = record
    self.writer = writer
    self.logger = logger
    lastKept = record
    isDurable = writer != nil
  }

  // MARK: Changes

  /// What `body` makes of the record as the session is launched is no change: the next launch would make the same of it.
  func launch<Result>(_ body: () -> Result) -> Result {
    isTold = false
    defer {
      isTold = true
      lastKept = record
    }
    return body()
  }

  /// Has the store keep what is there: the record, and what pages are to be told.
  func changed() {
    guard let writer else { return }
    if !isQuiet { hasLoudChange = true }
    if isChanged { return }
    isChanged = true
    writer.write(self)
  }

  /// What `change` changes is kept, and no page waits for that: it is nothing that a page is told of.
  func quietly(_ change: () -> Void) {
    let wasQuiet = isQuiet
    isQuiet = true
    change()
    isQuiet = wasQuiet
  }

  /// The store has begun anew, with nothing in it: everything is written again.
  func storeWasReplaced() {
    isFirst = true
    isKeptAsLasting = nil
    quietly { changed() }
  }

  /// A page has ended. The store hears of it with the next change.
  func ended(pageID: String) {
    if isDurable { endedPages.append(pageID) }
  }

  /// Takes over from an earlier launch: its pages have ended, and what it has not begun to write it writes no more.
  func takeOver(from earlier: SessionState) {
    endedPages += earlier.endedPages
    earlier.isChanged = false
    earlier.hasLoudChange = false
    changed()
  }

  /// Has the store forget the session.
  func forget() {
    isForgotten = true
    changed()
  }

  /// Returns once everything is kept that had changed. False when it could not be.
  package func kept() async -> Bool {
    guard isPending else { return true }
    return await withCheckedContinuation { waiters.append($0) }
  }

  // MARK: Writing

  /// What has changed since the last time, which is about to be written; nil for nothing.
  func takeChange() -> SessionChange? {
    guard isChanged else { return nil }
    isChanged = false
    isWriting = true
    isWritingLoudChange = hasLoudChange
    hasLoudChange = false
    let isLasting = isLasting(record)
    let change = SessionChange(
      key: key.rawValue,
      former: isFirst ? nil : lastKept,
      record: isForgotten ? nil : record,
      isLasting: isLasting,
      isLastingAnew: isLasting != isKeptAsLasting,
      pages: delegate?.takePageChanges() ?? [],
      endedPages: endedPages
    )
    endedPages = []
    return change
  }

  /// A change that was taken is on the disk.
  func wasKept(_ change: SessionChange) {
    lastKept = change.record ?? lastKept
    isFirst = change.record == nil
    isKeptAsLasting = change.isLasting
    isWriting = false
    isWritingLoudChange = false
    if isFailing {
      isFailing = false
      logger.notice("The state of session \(key.id) can be kept again.")
    }
    delegate?.stateWasKept()
    if !isPending { tellWaiters(true) }
  }

  /// A change that was taken could not be kept: goes back to what the store has.
  func wasLost(_ change: SessionChange, _ failure: StoreFailure) {
    isChanged = false
    isWriting = false
    hasLoudChange = false
    isWritingLoudChange = false
    endedPages = change.endedPages + endedPages
    let lost = record
    isTold = false
    record = lastKept
    delegate?.stateWasLost(goingBackTo: lastKept, from: lost, because: failure)
    isTold = true
    if !isFailing {
      isFailing = true
      logger.error(
        "The state of session \(key.id) cannot be kept: \(failure). What changes it fails until that is mended.")
    }
    tellWaiters(false)
    Task { [weak self] in
      try? await Task.sleep(for: Self.retryTime)
      self?.delegate?.stateMayBeKeptAgain()
    }
  }

  private func tellWaiters(_ isKept: Bool) {
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume(returning: isKept) }
  }
}
