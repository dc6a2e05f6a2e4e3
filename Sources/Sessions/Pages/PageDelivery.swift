/// What a page was sent and what it has asked, kept so that a lost socket loses nothing and doubles nothing.
///
/// The page counts the host's events and requests, which carry a sequence number, and tells the count when it comes back: what it missed
/// is sent again. The host knows the page's requests by their correlation ids: one that comes twice is answered twice and done once.
///
/// What must outlive the server is noted down as it comes, for ``takeChange()``.
struct PageDelivery {
  /// What to do with a request.
  enum RequestAction: Equatable {
    /// It is new: handle it.
    case handle
    /// It is being handled; its answer will come.
    case wait
    /// It was answered: send this again.
    case answer([UInt8])
    /// It was run, and its answer is forgotten: it is not run again.
    case refuse
  }

  /// How many messages, and how many bytes of them, are kept in each direction. The oldest make room.
  static let messageLimit = 1024
  static let byteLimit = 8 << 20
  /// How far the numbers of one run of the server lie from those of the run before it, which may have sent more than it kept.
  static let runStride = 1 << 32

  private let isDurable: Bool
  private var lastSequence = 0
  private var unconfirmed = UnconfirmedMessages()
  private var calls = KnownCalls()
  private var change: PageChange
  /// The change that is being written.
  private var written: PageChange?
  private var answerCount = 0
  /// Whether the store knows the page, and that this run of the server has begun: the next one leaves room for what this one has sent since.
  private var isRecorded = false
  /// The oldest event, and the oldest answer, that the store need have, as it was told.
  private var oldestRecorded = (sequence: 0, answer: 0)

  /// The delivery of a new page. `isDurable` says whether there is a store.
  init(pageID: String, isDurable: Bool) {
    change = PageChange(pageID: pageID)
    self.isDurable = isDurable
  }

  /// Goes on where an earlier run of the server was.
  init(pageID: String, _ record: PageRecord) {
    self.init(pageID: pageID, isDurable: true)
    lastSequence = record.lastSequence + Self.runStride
    for event in record.events { unconfirmed.append(event.sequence, event.text) }
    calls = KnownCalls(record.answers, forgotten: record.forgottenCalls)
    answerCount = record.answers.last.map { $0.number + 1 } ?? 0
  }

  /// The page has opened a connection: it may send again what it asked before.
  mutating func connected() {
    calls.connected()
  }

  /// The page's calls, with at most so many bytes of their answers.
  func knownCalls(answerByteLimit: Int) -> KnownCalls {
    var calls = calls
    calls.forgetAnswers(above: answerByteLimit)
    return calls
  }

  /// The page has made these calls before.
  mutating func remember(_ calls: KnownCalls) {
    self.calls = calls
  }

  /// A request arrived, as `text`, whose correlation id is the page's own choice. Pages may use one again: only on a new connection, and
  /// once, is the same text the same request.
  mutating func pageRequest(_ call: CallID, _ text: UnsafeBufferPointer<UInt8>) -> RequestAction {
    calls.beginPages(call, request: WordHash.hash(text))
  }

  /// A request arrived, with its correlation id in UTF-8.
  mutating func request(_ call: CallID, _ correlationId: UnsafeBufferPointer<UInt8>) -> RequestAction {
    calls.begin(call, correlationId)
  }

  /// A request was answered with `text`. What is kept is its last answer: the result after an acknowledgement. Its names are asked for where
  /// there is a store.
  mutating func answered(
    _ call: CallID, correlationId: @autoclosure () -> String, action: @autoclosure () -> String, _ text: [UInt8]
  ) {
    calls.answered(call, text)
    guard isDurable else { return }
    change.answers.append(
      PageChange.Answer(number: answerCount, correlationId: correlationId(), action: action(), text: text)
    )
    answerCount += 1
  }

  /// The sequence number of the next event or request to the page.
  mutating func nextSequence() -> Int {
    lastSequence += 1
    return lastSequence
  }

  /// An event or request was written as `text`. `outlivesServer` says whether it means something to more than this run of the server.
  mutating func sent(_ sequence: Int, action: String, outlivesServer: Bool, _ text: [UInt8]) {
    unconfirmed.append(sequence, text)
    if isDurable, outlivesServer {
      change.events.append(PageChange.Event(sequence: sequence, action: action, text: text))
    }
  }

  /// The page is back and has received everything up to `sequence`: what it missed, oldest first.
  mutating func resume(after sequence: Int) -> [(sequence: Int, text: [UInt8])] {
    unconfirmed.confirm(through: sequence)
    return unconfirmed.all
  }

  // MARK: The store

  /// Nothing has changed that is to be kept: neither are the answers, which can be found again.
  mutating func forgetAnswers() {
    change.answers = []
  }

  /// What is to be kept with the state as it is now; nil when there is nothing.
  mutating func takeChange() -> PageChange? {
    if isRecorded, change.events.isEmpty, change.answers.isEmpty { return nil }
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

  /// What was taken is kept.
  mutating func changeWasKept() {
    written = nil
  }

  /// Neither what was taken is kept nor what has come since: forgets the events that tell of the state.
  ///
  /// - Returns: those events, and the answers that tell of it. The caller gives others in their place.
  mutating func undo(
    where tellsOfState: (_ action: String) -> Bool
  ) -> (events: [PageChange.Event], answers: [PageChange.Answer]) {
    let lost = [written, change].compactMap { $0 }
    written = nil
    change = PageChange(pageID: change.pageID)
    storeWasReplaced()
    let events = lost.flatMap(\.events).filter { tellsOfState($0.action) }
    for event in events { unconfirmed.remove(event.sequence) }
    return (events, lost.flatMap(\.answers).filter { tellsOfState($0.action) })
  }

  /// The store knows nothing of the page any more.
  mutating func storeWasReplaced() {
    isRecorded = false
    oldestRecorded = (0, 0)
    calls.undoTakingForgotten()
  }
}
