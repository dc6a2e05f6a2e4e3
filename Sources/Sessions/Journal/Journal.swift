package import BridgeCore
package import BridgeRuntime

/// Everything that happens in a session, in order, with time and cause: what transcripts, failure reports and tests read.
///
/// Nobody may be reading, so that adding costs little: a message is kept as it came and read when someone looks. Only what is long or could
/// hold a secret is gone through at once, so that neither stays in memory.
@BridgeActor
package final class Journal {
  /// The cursor of the entry in whose course things happen.
  @TaskLocal package static var cause: Int?

  // What each message needs stands first, together.
  private var buffer = JournalBuffer()
  /// What the journal has told ``space`` that it holds, in bytes.
  private var countedByteCount = 0
  /// Says which members of messages are secret.
  private let bridges: BridgeTable?
  private var observers: [Int: (JournalEntry?) -> Void] = [:]
  /// What is left out of the journal, whoever repeats it.
  let secrets = IssuedSecrets()
  /// The session's clock.
  var clock: any BridgeClock
  /// The host's requests that wait for a page's answer, by correlation id.
  private var hostRequests: [String: Int] = [:]
  private var lastObserver = 0
  private var pageCount = 0
  /// What the journals of all sessions have together; nil for one that is not among them, or not any more.
  private var space: JournalSpace?

  /// How many of the host's requests are remembered until they are answered.
  private static let hostRequestLimit = 2000
  /// How long a message may be, in bytes, to be kept as it is.
  private static let messageLimit = 4 << 10
  /// How many bytes an entry may occupy; of one that would occupy more the data are left out.
  static let entryByteLimit = 256 << 10
  /// How many bytes an entry counts for whose data are made later: about as many as what they are made of occupies.
  private static let laterByteCount = 1 << 10
  /// How many bytes a message of a page may have for its data to be read: to mark what is in them takes longer than all that is done with
  /// them otherwise.
  private static let readByteLimit = 256 << 10

  /// How many bytes a journal may hold more or less than it has said, or a sixteenth of what it has said if that is more.
  private static let uncountedLimit = 1 << 10

  /// Creates an empty journal of messages of these bridges, which holds memory of `space`.
  init(clock: any BridgeClock, bridges: BridgeTable? = nil, space: JournalSpace? = nil) {
    self.clock = clock
    self.bridges = bridges
    self.space = space
  }

  /// The name of a page that opens.
  func newPageName() -> PageName {
    pageCount += 1
    return PageName(number: pageCount)
  }

  // MARK: Writing

  /// Adds an entry and returns its cursor.
  @discardableResult
  package func append(
    _ kind: JournalEntry.Kind,
    page: String? = nil,
    action: String? = nil,
    correlationId: String? = nil,
    data: [String: JSONValue]? = nil,
    note: String? = nil,
    cause: Int? = Journal.cause
  ) -> Int {
    if let action, correlationId == nil, data == nil, note == nil {
      return append(kind, page: page, cause: cause, .action(action, data: nil), byteCount: action.utf8.count)
    }
    var members: [String: JSONValue] = [:]
    members["action"] = action.map { .string($0) }
    members["correlationId"] = correlationId.map { .string($0) }
    // Secrets and images go at once here, too: what is added like this may be an answer with an image.
    members["data"] = data.map { .object(JournalMarks.marked($0)) }
    members["note"] = note.map { .string(JournalMarks.cut($0)) }
    return append(kind, page: page, cause: cause, members)
  }

  /// Adds an entry whose data are made when someone looks: there is no secret in them, and they are short.
  func append(_ kind: JournalEntry.Kind, action: String, data: @escaping @Sendable () -> [String: JSONValue]) {
    _ = append(
      kind, page: nil, cause: Journal.cause, .action(action, data: data), byteCount: Self.laterByteCount)
  }

  /// Adds a message whose action is `owner`'s, and returns its cursor. `text` is the message as it was written; `message` is asked for only
  /// where that is not kept. `time` is when it was, in milliseconds since the Unix epoch; nil for now.
  ///
  /// An answer to a page is caused by the request that it answers, which is the caller's to know; a page's answer by the host's request.
  @discardableResult
  func append(
    _ kind: JournalEntry.Kind,
    page: PageName,
    of owner: ActionOwner,
    text: UnsafeBufferPointer<UInt8>,
    time: Double? = nil,
    cause: Int? = nil,
    message: @autoclosure () -> BridgeMessage
  ) -> Int {
    let cause = self.cause(of: kind, cause, message)
    let cursor: Int
    if isPlain(owner, byteCount: text.count) {
      cursor = buffer.nextCursor
      let time = time ?? clock.now.millisecondsSinceEpoch
      buffer.append(kind, time: time, page: page, cause: cause, text: text)
      tellObservers()
    } else {
      cursor = append(kind, page: page.description, of: owner, message(), byteCount: text.count, cause: cause)
    }
    if kind == .hostRequest {
      if hostRequests.count >= Self.hostRequestLimit { hostRequests = [:] }
      hostRequests[message().correlationId] = cursor
    }
    return cursor
  }

  private func cause(of kind: JournalEntry.Kind, _ known: Int?, _ message: () -> BridgeMessage) -> Int? {
    switch kind {
    // Pages begin on their own.
    case .request, .pageEvent: nil
    case .pageResponse: hostRequests.removeValue(forKey: message().correlationId)
    default: known ?? Journal.cause
    }
  }

  /// Whether the text of a message can be kept as it is: it is short, and holds no secret.
  private func isPlain(_ owner: ActionOwner, byteCount: Int) -> Bool {
    !owner.traits.contains(.holdsSecrets) && byteCount <= Self.messageLimit
  }

  /// Adds a message that is long or holds secrets.
  private func append(
    _ kind: JournalEntry.Kind, page: String, of owner: ActionOwner, _ message: BridgeMessage, byteCount: Int,
    cause: Int?
  ) -> Int {
    if byteCount > Self.readByteLimit, kind.isOfPage {
      return append(
        kind, page: page, action: JournalMarks.cut(message.action),
        correlationId: JournalMarks.cut(message.correlationId),
        note: "Its data are left out: the message has \(byteCount) bytes.", cause: cause)
    }
    if kind == .response, owner.traits.contains(.sharesData), !owner.traits.contains(.holdsSecrets),
      byteCount <= Self.entryByteLimit
    {
      return append(kind, page: page, cause: cause, .message(message), byteCount: byteCount)
    }
    return append(
      kind, page: page, cause: cause,
      JournalEntry.members(message, secretMembers: bridges?.secretMembers(of: owner) ?? []))
  }

  private func append(
    _ kind: JournalEntry.Kind, page: String?, cause: Int?, _ members: [String: JSONValue]
  ) -> Int {
    var members = members
    var byteCount = JSONValue.object(members).occupiedByteCount
    if byteCount > Self.entryByteLimit {
      members["data"] = nil
      members["note"] = .string("Its data are left out: they would occupy about \(byteCount) bytes.")
      byteCount = JSONValue.object(members).occupiedByteCount
    }
    return append(kind, page: page, cause: cause, .members(members), byteCount: byteCount)
  }

  private func append(
    _ kind: JournalEntry.Kind,
    page: String?,
    cause: Int?,
    _ content: JournalEntry.Content,
    byteCount: Int
  ) -> Int {
    let cursor = buffer.nextCursor
    buffer.append(
      kind, time: clock.now.millisecondsSinceEpoch, page: page, cause: cause, content, byteCount: byteCount)
    tellObservers()
    return cursor
  }

  private func tellObservers() {
    let uncounted = (buffer.heldByteCount &- countedByteCount).magnitude
    if uncounted >= Self.uncountedLimit, uncounted >= countedByteCount.magnitude / 16 { countHeld() }
    if observers.isEmpty { return }
    guard var entry = buffer.latest else { return }
    entry.secrets = secrets.patterns
    for observer in observers.values { observer(entry) }
  }

  // MARK: Memory

  private func countHeld() {
    countedByteCount = buffer.heldByteCount
    space?.journal(self, holds: countedByteCount)
  }

  /// Others need the memory: gives up the oldest entries, and the latest only unless the journal is being written to.
  ///
  /// - Returns: How many bytes the journal holds now; nil when it has nothing to give up.
  func giveUpOldest(isInUse: Bool) -> Int? {
    guard buffer.removeOldest(isInUse: isInUse) else { return nil }
    countedByteCount = buffer.heldByteCount
    return countedByteCount
  }

  // MARK: Reading

  /// The cursor of the latest entry; 0 before the first.
  package var lastCursor: Int { buffer.nextCursor - 1 }

  /// The entries after a cursor, oldest first: at most so many, of one kind if there is one. `next` is where to go on, `dropped` how many
  /// there were after the cursor that are gone.
  package func entries(
    after cursor: Int,
    limit: Int,
    kind: JournalEntry.Kind? = nil
  ) -> (entries: [JournalEntry], next: Int, dropped: Int) {
    var page = buffer.page(after: cursor, limit: limit, kind: kind)
    if let patterns = secrets.patterns {
      for index in page.entries.indices { page.entries[index].secrets = patterns }
    }
    return page
  }

  /// Calls `body` with each entry from now on, and with nil once the session is deleted, for as long as the result is held.
  package func onAppend(_ body: @escaping (JournalEntry?) -> Void) -> JournalObserver {
    lastObserver += 1
    let number = lastObserver
    observers[number] = body
    return JournalObserver { [self] in observers[number] = nil }
  }

  /// The session is deleted: nothing will be added.
  func end() {
    for observer in observers.values { observer(nil) }
    observers = [:]
    space?.leave(self)
    space = nil
  }
}
