package import BridgeRuntime
import Delivery
import Essentials
import Logging

/// Brings the state of one session to the store. Messages that tell a page of a change wait until the change is stored.
@BridgeActor
package final class SessionState {
  /// The pause before the next try after the store has failed.
  static let retryTime = Duration.seconds(1)

  /// The owner of the state.
  weak var delegate: (any SessionStateDelegate)?
  /// Whether there are changes that are not stored and that pages wait for.
  var isUnstored: Bool { hasLoudChange || isWritingLoudChange }
  /// Whether there are any changes that are not stored.
  var isPending: Bool { isChanged || isWriting }
  /// Whether there is a store. Without one, nothing is stored and nothing waits.
  nonisolated let isDurable: Bool

  /// The state that outlives the launch. Each change of it is stored.
  package var record: SessionRecord {
    didSet { if isTold { changed() } }
  }

  /// The session's key.
  let key: SessionKey
  /// Whether another server runs the session. This one stores nothing more.
  package private(set) var isAbandoned = false
  private let writer: StateWriter?
  private let logger: Logger
  /// Whether an assignment to ``record`` counts as a change.
  private var isTold = true
  /// The stored record, together with the changes that the launch itself has made.
  private var lastStored: SessionRecord
  private var endedPages: [String] = []
  private var isForgotten = false
  /// Whether a later launch stores the session's changes.
  private var isTakenOver = false
  /// The state of the launch before this one, until a change of this one is stored.
  private var former: SessionState?
  /// Whether there are changes that are not being written yet.
  private var isChanged = false
  /// Whether pages wait for some of these changes.
  private var hasLoudChange = false
  /// Whether changes are being written.
  private var isWriting = false
  /// Whether pages wait for some of the changes that are being written.
  private var isWritingLoudChange = false
  /// Whether pages do not wait for the changes that are made now.
  private var isQuiet = false
  /// What the store has, without the changes that the launch itself has made; nil if it has nothing, or if this is not certain.
  private var written: SessionRecord?
  /// Whether the store was replaced while changes were being written to the former one.
  private var wasReplacedMeanwhile = false
  /// The stored value of ``isLasting``; nil if it is unknown.
  private var isStoredAsLasting: Bool?
  /// Those who wait for changes that are not being written yet.
  private var waiters: [CheckedContinuation<StoreFailure?, Never>] = []
  /// Those who wait for the changes that are being written.
  private var writingWaiters: [CheckedContinuation<StoreFailure?, Never>] = []

  /// - Parameters:
  ///   - record: The state with which the launch begins.
  ///   - written: What the store has of a session that lasts; nil to write all of it with the first change.
  init(key: SessionKey, record: SessionRecord, written: SessionRecord? = nil, writer: StateWriter?, logger: Logger) {
    self.key = key
    self.record = record
    self.written = written
    isStoredAsLasting = written == nil ? nil : true
    self.writer = writer
    self.logger = logger
    lastStored = record
    isDurable = writer != nil
  }

  // MARK: Changes

  /// Runs `body` as part of the launch. Its changes of the record are not stored, since the next launch makes the same changes.
  func launch<Result>(_ body: () -> Result) -> Result {
    isTold = false
    defer {
      isTold = true
      lastStored = record
    }
    return body()
  }

  /// Schedules a write of the current state: of the record, and of the messages to pages.
  package func changed() {
    guard let writer, !isAbandoned, !isTakenOver else { return }
    if !isQuiet { hasLoudChange = true }
    if isChanged { return }
    isChanged = true
    writer.write(self)
  }

  /// Makes a change that is stored, but that no page waits for, since it changes nothing that pages receive.
  package func quietly(_ change: () -> Void) {
    let wasQuiet = isQuiet
    isQuiet = true
    change()
    isQuiet = wasQuiet
  }

  /// Writes everything again, since the store was replaced by an empty one.
  func storeWasReplaced() {
    written = nil
    wasReplacedMeanwhile = isWriting
    isStoredAsLasting = nil
    quietly { changed() }
  }

  /// Notes that a page has ended. The next change deletes it from the store.
  func ended(pageID: String) {
    if isDurable { endedPages.append(pageID) }
  }

  /// The record that the store has, as far as is known.
  var storedRecord: SessionRecord { former?.storedRecord ?? lastStored }

  /// Continues the state of an earlier launch, whose pages have ended. Its changes that are not being written yet are dropped.
  ///
  /// - Parameter isStored: Whether the store already has the record of this launch.
  func takeOver(from earlier: SessionState, isStored: Bool) {
    // While the earlier launch writes a change, the store's record may still become that of the change.
    if !isStored, isDurable { former = earlier.isWriting ? earlier : earlier.former ?? earlier }
    endedPages += earlier.endedPages
    // Nobody writes the earlier state any more.
    waiters += earlier.waiters
    earlier.waiters = []
    earlier.isChanged = false
    earlier.hasLoudChange = false
    earlier.isTakenOver = true
    if !isStored { changed() }
  }

  /// Deletes the session from the store.
  func forget() {
    isForgotten = true
    changed()
  }

  /// Drops all changes that are not stored yet, since another server runs the session.
  func abandon() {
    isAbandoned = true
    isChanged = false
    hasLoudChange = false
    delegate = nil
    failWaiters(.fenced)
  }

  /// Waits until all present changes are stored, but not for later ones.
  ///
  /// - Throws: The reason why they could not be stored.
  package func waitUntilStored() async throws(StoreFailure) {
    if isAbandoned { throw .fenced }
    guard isPending else { return }
    let failure = await withCheckedContinuation { waiter in
      if isChanged { waiters.append(waiter) } else { writingWaiters.append(waiter) }
    }
    if let failure { throw failure }
  }

  /// Waits as ``waitUntilStored()`` does. Returns false if the changes could not be stored.
  package func stored() async -> Bool {
    do throws(StoreFailure) {
      try await waitUntilStored()
      return true
    } catch {
      return false
    }
  }

  // MARK: Writing

  /// Returns the changes since the last call, to be written now; nil if there are none.
  func takeChange() -> SessionChange? {
    guard isChanged else { return nil }
    isChanged = false
    isWriting = true
    writingWaiters += waiters
    waiters = []
    isWritingLoudChange = hasLoudChange
    hasLoudChange = false
    let isLasting = delegate?.isLasting(record) ?? true
    let change = SessionChange(
      key: key.rawValue,
      // A deletion needs the name of the session's world.
      former: isForgotten ? lastStored : written,
      record: isForgotten ? nil : record,
      isLasting: isLasting,
      isLastingAnew: isLasting != isStoredAsLasting,
      pages: delegate?.takePageChanges() ?? [],
      endedPages: endedPages
    )
    endedPages = []
    return change
  }

  /// Notes that a taken change is stored durably.
  func wasStored(_ change: SessionChange) {
    lastStored = change.record ?? lastStored
    former = nil
    written = wasReplacedMeanwhile ? nil : change.record
    isStoredAsLasting = wasReplacedMeanwhile ? nil : change.isLasting
    wasReplacedMeanwhile = false
    isWriting = false
    isWritingLoudChange = false
    delegate?.stateWasStored()
    let stored = writingWaiters
    writingWaiters = []
    for waiter in stored { waiter.resume(returning: nil) }
  }

  /// Rolls back to the stored state, since a taken change could not be stored.
  func wasLost(_ change: SessionChange, _ failure: StoreFailure) {
    if isAbandoned { return }
    isChanged = false
    isWriting = false
    hasLoudChange = false
    isWritingLoudChange = false
    // The next change does not rely on what the store has.
    written = nil
    isStoredAsLasting = nil
    endedPages = change.endedPages + endedPages
    if case .refused = failure {
      logger.error("A change of session \(key.id) cannot be stored, and is undone: \(failure)")
    }
    failWaiters(failure)
    if former == nil {
      let lost = record
      isTold = false
      record = lastStored
      delegate?.stateWasLost(goingBackTo: lastStored, from: lost, because: failure)
      isTold = true
    } else {
      // The store still has the state of the launch before.
      delegate?.launchWasLost()
    }
    Task { [weak self] in
      try? await Task.sleep(for: Self.retryTime)
      self?.delegate?.stateMayBeStoredAgain()
    }
  }

  /// Tells all who wait that the changes are not stored.
  private func failWaiters(_ failure: StoreFailure) {
    let failed = writingWaiters + waiters
    writingWaiters = []
    waiters = []
    for waiter in failed { waiter.resume(returning: failure) }
  }
}

/// The owner of a ``SessionState``.
@BridgeActor
protocol SessionStateDelegate: AnyObject {
  /// Whether a session with this record must be kept after its last page has ended.
  func isLasting(_ record: SessionRecord) -> Bool

  /// Returns the messages to pages that tell of the changes so far, and the answers to calls that have caused them. They are stored together.
  func takePageChanges() -> [PageChange]

  /// Called when all changes before the last ``takePageChanges()`` are stored.
  func stateWasStored()

  /// Called when the changes since the last ``stateWasStored()`` could not be stored.
  func stateWasLost(goingBackTo record: SessionRecord, from lost: SessionRecord, because failure: StoreFailure)

  /// Called instead if not even the first change of the launch could be stored. Its session must begin again with the record in the store.
  func launchWasLost()

  /// Called some time after changes were lost. The store may work again.
  func stateMayBeStoredAgain()
}
