import BridgeCore

/// The messages between host and page, kept so that a lost socket loses nothing and repeats nothing.
///
/// The host's events and requests have sequence numbers. The page counts them and reports the count when it comes back. What it missed is
/// sent again. The host knows the page's requests by their correlation ids: a request that arrives twice runs exactly once and is answered
/// twice.
///
/// What must outlive the server is noted as it comes, for ``takeChange()``.
struct PageDelivery {
  /// What to do with a request.
  enum RequestAction: Equatable {
    /// It is new: handle it.
    case handle
    /// It is being handled. Its answer will come.
    case wait
    /// It was answered: send this again.
    case answer([UInt8])
    /// It has run, and its answer is forgotten. It does not run again.
    case refuse
  }

  /// The maximum number and size of messages kept in each direction. The oldest are dropped first.
  static let messageLimit = 1024
  static let byteLimit = 8 << 20
  /// The distance between the sequence numbers of two runs of the server: the earlier run may have sent more than it stored.
  static let runStride = 1 << 32

  private let isDurable: Bool
  private var lastSequence = 0
  private var unconfirmed = UnconfirmedMessages()
  private var calls = KnownCalls()
  private var change: PageChange
  /// The change that is being stored.
  private var written: PageChange?
  /// The answers since the last change. Nearly all tell of nothing that is stored, so what the store would need is made of them later.
  private var newAnswers: [(number: Int, message: BridgeMessage, text: [UInt8])] = []
  private var answerCount = 0
  /// Whether the store knows the page and that this run of the server has begun. The next run leaves a gap for what this one has sent
  /// since.
  private var isRecorded = false
  /// The oldest event and the oldest answer that the store needs, as it was last told.
  private var oldestRecorded = (sequence: 0, answer: 0)

  /// Creates the delivery of a new page. `isDurable` says whether there is a store.
  init(pageID: String, isDurable: Bool) {
    change = PageChange(pageID: pageID)
    self.isDurable = isDurable
  }

  /// Continues from an earlier run of the server.
  init(pageID: String, _ record: PageRecord) {
    self.init(pageID: pageID, isDurable: true)
    lastSequence = record.lastSequence + Self.runStride
    for event in record.events { unconfirmed.append(event.sequence, event.text) }
    calls = KnownCalls(record.answers, forgotten: record.forgottenCalls)
    answerCount = record.answers.last.map { $0.number + 1 } ?? 0
  }

  /// The page has opened a connection. It may repeat earlier requests.
  mutating func connected() {
    calls.connected()
  }

  /// The page's calls, with at most this many bytes of answers.
  func knownCalls(answerByteLimit: Int) -> KnownCalls {
    var calls = calls
    calls.forgetAnswers(above: answerByteLimit)
    return calls
  }

  /// The page has made these calls before.
  mutating func remember(_ calls: KnownCalls) {
    self.calls = calls
  }

  /// A request arrived whose correlation id the page has chosen. Pages may reuse ids. The same text with the same id is the same request
  /// only once, on a new connection.
  mutating func pageRequest(_ call: CallID, _ text: UnsafeBufferPointer<UInt8>) -> RequestAction {
    calls.beginPages(call, request: WordHash.hash(text))
  }

  /// Whether the latest request of the page has an id that the page has used before, for another one.
  func hasReused(_ call: CallID) -> Bool { calls.reusedCall == call }

  /// A request arrived, with its correlation id in UTF-8.
  mutating func request(_ call: CallID, _ correlationId: UnsafeBufferPointer<UInt8>) -> RequestAction {
    calls.begin(call, correlationId)
  }

  /// A request was answered with `text`. The last answer is kept: the result after an acknowledgement. `message` is the request or its
  /// answer.
  mutating func answered(_ call: CallID, by message: BridgeMessage, _ text: [UInt8]) {
    calls.answered(call, text)
    guard isDurable else { return }
    newAnswers.append((answerCount, message, text))
    answerCount += 1
  }

  /// The sequence number of the next event or request to the page.
  mutating func nextSequence() -> Int {
    lastSequence += 1
    return lastSequence
  }

  /// An event or request was written as `text`. `outlivesServer` says whether it matters after this run of the server.
  mutating func sent(_ sequence: Int, action: String, outlivesServer: Bool, _ text: [UInt8]) {
    unconfirmed.append(sequence, text)
    if isDurable, outlivesServer {
      change.events.append(PageChange.Event(sequence: sequence, action: action, text: text))
    }
  }

  /// The page is back and has received everything up to `sequence`. Returns what it missed, oldest first.
  mutating func resume(after sequence: Int) -> [(sequence: Int, text: [UInt8])] {
    unconfirmed.confirm(through: sequence)
    return unconfirmed.all
  }

  // MARK: The store

  /// Nothing to store has changed. The answers can be found again, so they are not stored either.
  mutating func forgetAnswers() {
    newAnswers.removeAll(keepingCapacity: true)
  }

  /// Adds the new answers to the change.
  private mutating func noteAnswers() {
    change.answers = newAnswers.map { number, message, text in
      PageChange.Answer(number: number, correlationId: message.correlationId, action: message.action, text: text)
    }
    newAnswers = []
  }

  /// What to store with the current state; nil if there is nothing.
  mutating func takeChange() -> PageChange? {
    if isRecorded, change.events.isEmpty, newAnswers.isEmpty { return nil }
    noteAnswers()
    var taken = change
    if !isRecorded { taken.lastSequence = lastSequence }
    isRecorded = true
    let oldest = (unconfirmed.oldestSequence ?? lastSequence + 1, max(answerCount - Self.messageLimit, 0))
    if oldest.0 > oldestRecorded.sequence { taken.oldestSequence = oldest.0 }
    if oldest.1 > oldestRecorded.answer { taken.oldestAnswer = oldest.1 }
    taken.forgottenCalls = calls.takeForgotten()
    oldestRecorded = oldest
    change = PageChange(pageID: change.pageID)
    written = taken
    return taken
  }

  /// What was taken is stored.
  mutating func changeWasKept() {
    written = nil
  }

  /// Neither what was taken nor what came later could be stored. Drops the events that tell of the state.
  ///
  /// - Returns: Those events, and the answers that tell of the state. The caller replaces them.
  mutating func undo(
    where tellsOfState: (_ action: String) -> Bool
  ) -> (events: [PageChange.Event], answers: [PageChange.Answer]) {
    noteAnswers()
    let lost = [written, change].compactMap { $0 }
    written = nil
    change = PageChange(pageID: change.pageID)
    storeWasReplaced()
    let events = lost.flatMap(\.events).filter { tellsOfState($0.action) }
    for event in events { unconfirmed.remove(event.sequence) }
    return (events, lost.flatMap(\.answers).filter { tellsOfState($0.action) })
  }

  /// The store no longer knows the page.
  mutating func storeWasReplaced() {
    isRecorded = false
    oldestRecorded = (0, 0)
    calls.undoTakingForgotten()
  }
}
