import BridgeCore

/// Keeps the messages between host and page, so that none is lost or handled twice when a socket is lost.
///
/// The host's events and requests have sequence numbers. A page that comes back reports the last number that it has received, and gets the
/// later messages again. The page's requests have correlation ids: if a request arrives twice, it runs once and is answered twice.
///
/// ``takeChange()`` returns the part that must outlive the server.
struct PageDelivery {
  /// What to do with a request.
  enum RequestAction: Equatable {
    /// Handle the request, since it is new.
    case handle
    /// Do nothing: the request is being handled, and the answer will come.
    case wait
    /// Send this answer again.
    case answer([UInt8])
    /// Refuse the request: it has run, and its answer is deleted.
    case refuse
  }

  /// The maximum number and total size of messages that are kept in each direction, less if the pages of all sessions hold much. The oldest are
  /// dropped first.
  static let messageLimit = 1024
  static let byteLimit = 8 << 20
  /// The gap between the sequence numbers of two runs of the server. The earlier run may have sent more messages than it has stored.
  static let runStride = 1 << 32

  private let isDurable: Bool
  /// What the pages of the session hold together, and what this one has counted there.
  private let space: SharedBytes
  private var counted = 0
  /// Whether the page has ended.
  private var isOver = false
  private var lastSequence = 0
  private var unconfirmed = UnconfirmedMessages()
  private var calls = KnownCalls()
  private var change: PageChange
  /// The change that is being stored.
  private var written: PageChange?
  /// The answers since the last change. They are converted for the store only if there is a change, since most of them are never stored.
  private var newAnswers: [(number: Int, message: BridgeMessage, pageCall: Int?, text: [UInt8])] = []
  private var answerCount = 0
  /// Whether the store has the page with a sequence number of this run of the server. The next run adds ``runStride`` to it.
  private var isRecorded = false
  /// The oldest event and the oldest answer that the store was last told to keep.
  private var oldestRecorded = (sequence: 0, answer: 0)

  /// Creates the delivery of a new page. `isDurable` says whether there is a store.
  init(pageID: String, isDurable: Bool, space: SharedBytes) {
    change = PageChange(pageID: pageID)
    self.isDurable = isDurable
    self.space = space
  }

  /// Restores the delivery of a page from an earlier run of the server.
  init(pageID: String, _ record: PageRecord, space: SharedBytes) {
    self.init(pageID: pageID, isDurable: true, space: space)
    lastSequence = record.lastSequence + Self.runStride
    for event in record.events { unconfirmed.append(event.sequence, event.text, byteLimit: Self.byteLimit) }
    calls = KnownCalls(record.answers, forgotten: record.forgottenCalls)
    answerCount = record.answers.last.map { $0.number + 1 } ?? 0
    countBytes()
  }

  /// Notes how many bytes are held, for the limit of all pages.
  private mutating func countBytes() {
    let held = isOver ? 0 : unconfirmed.byteCount + calls.byteCount
    if held == counted { return }
    space.change(by: held - counted)
    counted = held
  }

  /// How many bytes of one direction may be held with this text, of which `held` are held already. A text may be larger than the limit.
  private func byteLimit(with text: [UInt8], held: Int) -> Int {
    min(max(Self.byteLimit, text.count), held + max(space.room, 0))
  }

  /// Notes that the page has ended. What is held for it counts no longer.
  mutating func end() {
    isOver = true
    countBytes()
  }

  /// Notes that the page has opened a connection. It may repeat earlier requests.
  mutating func connected() {
    calls.connected()
  }

  /// Returns the page's calls, with at most this many bytes of answers.
  func knownCalls(answerByteLimit: Int) -> KnownCalls {
    var calls = calls
    calls.forgetAnswers(above: answerByteLimit)
    return calls
  }

  /// Restores the calls that the page has made before.
  mutating func remember(_ calls: KnownCalls) {
    self.calls = calls
    countBytes()
  }

  /// Decides a request whose correlation id the page has chosen. Pages may reuse ids, so a request counts as repeated only if it has the same
  /// id and text, and only once on each new connection.
  mutating func pageRequest(_ call: CallID, _ text: UnsafeBufferPointer<UInt8>) -> RequestAction {
    calls.beginPages(call, request: text.bytesHash)
  }

  /// Whether the latest request has an id that the page has used before for another request.
  func hasReused(_ call: CallID) -> Bool { calls.reusedCall == call }

  /// Whether the page has used an id for one of its latest requests.
  func hasUsed(_ call: CallID) -> Bool { calls.contains(call) }

  /// Decides a request whose correlation id the shim has chosen. The id is in UTF-8.
  mutating func request(_ call: CallID, _ correlationId: UnsafeBufferPointer<UInt8>) -> RequestAction {
    calls.begin(call, correlationId)
  }

  /// Keeps the text of an answer, in place of an earlier answer to the same request, such as an acknowledgement. `message` is the request or
  /// its answer. `outlivesServer` says whether it tells of the stored state: the next run of the server gives no other.
  mutating func answered(
    _ call: CallID, by message: BridgeMessage, pageCall: Int? = nil, outlivesServer: Bool, _ text: [UInt8]
  ) {
    calls.answered(call, text, byteLimit: byteLimit(with: text, held: calls.byteCount))
    countBytes()
    guard isDurable, outlivesServer else { return }
    newAnswers.append((answerCount, message, pageCall, text))
    answerCount += 1
  }

  /// Returns the sequence number for the next event, or request to the page.
  mutating func nextSequence() -> Int {
    lastSequence += 1
    return lastSequence
  }

  /// Keeps an event, or request to the page, until the page has received it. `outlivesServer` says whether the next run of the server needs it.
  /// `request` is the correlation id of a request.
  mutating func sent(
    _ sequence: Int, action: String, outlivesServer: Bool, request: String? = nil, _ text: [UInt8]
  ) {
    unconfirmed.append(
      sequence, text, request: request, byteLimit: byteLimit(with: text, held: unconfirmed.byteCount))
    countBytes()
    if isDurable, outlivesServer {
      change.events.append(PageChange.Event(sequence: sequence, action: action, text: text))
    }
  }

  /// Returns the messages that a page has missed, oldest first. It has received all messages up to `sequence`.
  mutating func resume(after sequence: Int) -> [(sequence: Int, text: [UInt8])] {
    unconfirmed.confirm(through: sequence)
    countBytes()
    return unconfirmed.all
  }

  /// Returns the messages that a page has lost which has received all messages up to `sequence`; nil if it has lost none.
  mutating func takeLost(after sequence: Int) -> LostMessages? { unconfirmed.takeLost(after: sequence) }

  // MARK: The store

  /// Drops the new answers, since no stored state has changed: a repeated call would get the same answer.
  mutating func forgetAnswers() {
    newAnswers.removeAll(keepingCapacity: true)
  }

  /// Converts the new answers and adds them to the change.
  private mutating func noteAnswers() {
    change.answers = newAnswers.map { number, message, pageCall, text in
      let id = pageCall.map(CallID.storedID) ?? message.correlationId
      return PageChange.Answer(number: number, correlationId: id, action: message.action, text: text)
    }
    newAnswers = []
  }

  /// Returns the change to store with the current state; nil if there is none.
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

  /// Notes that the taken change is stored.
  mutating func changeWasStored() {
    written = nil
  }

  /// Drops the taken change and all later ones, which could not be stored, with their events that tell of the state.
  ///
  /// - Returns: These events, and the answers that tell of the state. The caller replaces the answers.
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
    countBytes()
    // The actions of numbered calls only look like those of bridges.
    let answers = lost.flatMap(\.answers).filter { !$0.correlationId.hasPrefix(CallID.pageCallPrefix) }
    return (events, answers.filter { tellsOfState($0.action) })
  }

  /// Notes that the store no longer has the page.
  mutating func storeWasReplaced() {
    isRecorded = false
    oldestRecorded = (0, 0)
    calls.undoTakingForgotten()
  }
}
