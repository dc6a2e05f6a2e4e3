package import BridgeRuntime
import Essentials
import Logging

/// The durable state of one session on its way to the store. What a page is told about a change waits until the change is stored.
@BridgeActor
package final class SessionState {
  /// How long the session pauses after the store has failed, before it retries.
  static let retryTime = Duration.seconds(1)

  /// The owner of the state.
  weak var delegate: (any SessionStateDelegate)?
  /// Whether there are unstored changes that pages wait for.
  var isUnkept: Bool { hasLoudChange || isWritingLoudChange }
  /// Whether there are any unstored changes.
  var isPending: Bool { isChanged || isWriting }
  /// Whether there is a store. Without one, nothing is stored and nothing waits.
  nonisolated let isDurable: Bool

  /// How many changes there were that somebody waits for.
  package private(set) var changeCount = 0

  /// The state that outlives the launch. Each change goes to the store.
  var record: SessionRecord {
    didSet { if isTold { changed() } }
  }

  /// The session's key.
  let key: SessionKey
  /// Whether another server has the session. Nothing more is stored here.
  package private(set) var isAbandoned = false
  /// Whether a record must outlast the session's pages.
  private let isLasting: (SessionRecord) -> Bool
  private let writer: StateWriter?
  private let logger: Logger
  /// Whether a new record is a change.
  private var isTold = true
  /// What the store has, or would have if only the launch had happened.
  private var lastKept: SessionRecord
  private var endedPages: [String] = []
  private var answers: [KeptAnswer] = []
  private var isForgotten = false
  /// Whether there are changes that no write includes, …
  private var isChanged = false
  /// … and some of them that pages wait for.
  private var hasLoudChange = false
  /// Whether changes are being written, …
  private var isWriting = false
  /// … and some among them that pages wait for.
  private var isWritingLoudChange = false
  /// Whether current changes are quiet.
  private var isQuiet = false
  private var isFirst = true
  /// The value of ``isLasting`` in the store.
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

  /// Runs `body` as part of the launch. Its changes of the record need not be stored: the next launch makes the same ones.
  func launch<Result>(_ body: () -> Result) -> Result {
    isTold = false
    defer {
      isTold = true
      lastKept = record
    }
    return body()
  }

  /// Makes the store write the current state: the record, and messages to pages.
  func changed() {
    guard let writer, !isAbandoned else { return }
    if !isQuiet {
      hasLoudChange = true
      changeCount += 1
    }
    if isChanged { return }
    isChanged = true
    writer.write(self)
  }

  /// Makes a change that is stored without pages waiting for it, since they are not told of it.
  func quietly(_ change: () -> Void) {
    let wasQuiet = isQuiet
    isQuiet = true
    change()
    isQuiet = wasQuiet
  }

  /// The store was replaced by an empty one. Everything is written again.
  func storeWasReplaced() {
    isFirst = true
    isKeptAsLasting = nil
    quietly { changed() }
  }

  /// A page has ended. The next change tells the store.
  func ended(pageID: String) {
    if isDurable { endedPages.append(pageID) }
  }

  /// Stores the answer to a request together with the change that the request has just made.
  package func keep(_ answer: KeptAnswer) {
    guard isDurable else { return }
    answers.append(answer)
    changed()
  }

  /// Takes over from an earlier launch. Its pages have ended, and changes that it has not begun to write are dropped.
  func takeOver(from earlier: SessionState) {
    endedPages += earlier.endedPages
    answers += earlier.answers
    earlier.isChanged = false
    earlier.hasLoudChange = false
    changed()
  }

  /// Makes the store delete the session.
  func forget() {
    isForgotten = true
    changed()
  }

  /// Another server has the session: what is not stored yet is dropped.
  func abandon() {
    isAbandoned = true
    isChanged = false
    hasLoudChange = false
    delegate = nil
    tellWaiters(false)
  }

  /// Returns when all changes are stored. Returns false if they could not be.
  package func kept() async -> Bool {
    if isAbandoned { return false }
    guard isPending else { return true }
    return await withCheckedContinuation { waiters.append($0) }
  }

  // MARK: Writing

  /// Returns the changes since the last time, which are about to be written; nil if there are none.
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
      endedPages: endedPages,
      answers: answers
    )
    endedPages = []
    answers = []
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
      logger.notice("The state of session \(key.id) can be stored again.")
    }
    delegate?.stateWasKept()
    if !isPending { tellWaiters(true) }
  }

  /// A change that was taken could not be stored. Rolls back to what the store has.
  func wasLost(_ change: SessionChange, _ failure: StoreFailure) {
    if isAbandoned { return }
    isChanged = false
    isWriting = false
    hasLoudChange = false
    isWritingLoudChange = false
    endedPages = change.endedPages + endedPages
    answers = []
    let lost = record
    isTold = false
    record = lastKept
    delegate?.stateWasLost(goingBackTo: lastKept, from: lost, because: failure)
    isTold = true
    if !isFailing {
      isFailing = true
      logger.error(
        "The state of session \(key.id) cannot be stored: \(failure). Calls that change it fail until this is fixed.")
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
