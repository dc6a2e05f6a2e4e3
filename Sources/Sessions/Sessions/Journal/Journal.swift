package import BridgeCore
package import BridgeRuntime
package import Delivery

/// The events of a session, in order, with time and cause. Transcripts, failure reports and tests read it.
///
/// Often nobody reads it, so adding an entry must be cheap: a message is kept as text, and parsed when someone reads it. Only messages that
/// are long or may contain a secret are processed at once, so that long texts and secrets do not stay in memory.
@BridgeActor
package final class Journal {
  /// Why a journal has ended.
  package enum Ending: Sendable, Hashable {
    /// Its session was deleted.
    case deleted
    /// Another server runs its session from now on.
    case moved
  }

  /// The cursor of the entry that is the cause of new entries.
  package static var cause: Int? { MessageCause.current }

  private var buffer: JournalBuffer
  /// The size in bytes that the journal has reported to ``space``.
  private var countedByteCount = 0
  /// Returns the members that are masked in an owner's messages; for nil, in entries of all kinds.
  var marks: (ActionOwner?) -> JournalMarks
  private var observers: [Int: (JournalEntry?) -> Void] = [:]
  /// Why the journal has ended; nil while it has not.
  package private(set) var ending: Ending?
  /// The secrets that the journal removes from all entries.
  let secrets = IssuedSecrets()
  /// The session's clock.
  var clock: any BridgeClock
  /// The host's requests that wait for a page's answer, by correlation id.
  private var hostRequests: [String: Int] = [:]
  private var lastObserver = 0
  private var pageCount = 0
  /// The memory that all sessions' journals share; nil for a journal that does not share it, or no longer does.
  private var space: JournalSpace?

  /// The maximum number of unanswered requests of the host that are remembered.
  private static let hostRequestLimit = 2000
  /// The maximum size of a message that is kept as text, in bytes.
  private static let messageLimit = 4 << 10
  /// The maximum size of an entry in memory, in bytes. A larger entry is kept without its data.
  static let entryByteLimit = 256 << 10
  /// The assumed size of an entry whose data is created later.
  private static let laterByteCount = 1 << 10
  /// The maximum size of a page's message whose data is parsed, in bytes. Masking takes longer than all other work on it.
  private static let readByteLimit = 256 << 10

  /// The maximum difference between the journal's size and the reported size, in bytes; or a sixteenth of the reported size, if that is
  /// more.
  private static let uncountedLimit = 1 << 10

  /// Creates an empty journal. It uses memory of `space`.
  init(
    clock: any BridgeClock, marks: @escaping (ActionOwner?) -> JournalMarks = { _ in JournalMarks() },
    space: JournalSpace? = nil, firstCursor: Int = 1
  ) {
    buffer = JournalBuffer(firstCursor: firstCursor)
    self.clock = clock
    self.marks = marks
    self.space = space
  }

  /// Returns the name of a new page.
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
    let page = page.flatMap { PageName($0) }
    if let action, correlationId == nil, data == nil, note == nil {
      return append(kind, page: page, cause: cause, .action(action, data: nil), byteCount: action.utf8.count)
    }
    var members: [String: JSONValue] = [:]
    members["action"] = action.map { .string($0) }
    members["correlationId"] = correlationId.map { .string($0) }
    // Mask secrets and images here, too, since this may be an answer with an image.
    members["data"] = data.map { .object(marks(nil).marked($0)) }
    members["note"] = note.map { .string(JournalMarks.cut($0)) }
    return append(kind, page: page, cause: cause, members)
  }

  /// Adds an entry whose data is created when someone reads it, and returns its cursor. The data must be short and contain no secret.
  @discardableResult
  package func append(
    _ kind: JournalEntry.Kind, action: String, cause: Int? = Journal.cause,
    data: @escaping @Sendable () -> [String: JSONValue]
  ) -> Int {
    append(kind, page: nil, cause: cause, .action(action, data: data), byteCount: Self.laterByteCount)
  }

  /// Adds a message and returns its cursor.
  ///
  /// The cause of an answer to a page is the page's request, which the caller passes. The cause of a page's answer is the host's request,
  /// which the journal knows.
  ///
  /// - Parameters:
  ///   - owner: The owner of the message's action.
  ///   - text: The text of the message.
  ///   - time: The time of the message, in milliseconds since the Unix epoch; nil for now.
  ///   - message: Returns the message. Called only if the text is not kept.
  @discardableResult
  package func append(
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
      buffer.append(kind, time: time, page: page, cause: cause, .message, text: text)
      tellObservers()
    } else {
      cursor = append(kind, page: page, of: owner, message(), byteCount: text.count, cause: cause)
    }
    if kind == .hostRequest {
      if hostRequests.count >= Self.hostRequestLimit { hostRequests = [:] }
      hostRequests[message().correlationId] = cursor
    }
    return cursor
  }

  private func cause(of kind: JournalEntry.Kind, _ known: Int?, _ message: () -> BridgeMessage) -> Int? {
    switch kind {
    // Messages of a page have no cause.
    case .request, .pageEvent: nil
    case .pageResponse: hostRequests.removeValue(forKey: message().correlationId)
    default: known ?? Journal.cause
    }
  }

  /// Whether the text of a message can be kept unchanged, since it is short and contains no secret.
  private func isPlain(_ owner: ActionOwner, byteCount: Int) -> Bool {
    !owner.traits.contains(.holdsSecrets) && byteCount <= Self.messageLimit
  }

  /// Adds a message that is long or contains secrets.
  private func append(
    _ kind: JournalEntry.Kind, page: PageName, of owner: ActionOwner, _ message: BridgeMessage, byteCount: Int,
    cause: Int?
  ) -> Int {
    if byteCount > Self.readByteLimit, kind.isOfPage {
      return append(
        kind, page: page.description, action: JournalMarks.cut(message.action),
        correlationId: JournalMarks.cut(message.correlationId),
        note: "The data are omitted: the message has \(byteCount) bytes.", cause: cause)
    }
    if kind == .response, owner.traits.contains(.sharesData), !owner.traits.contains(.holdsSecrets),
      byteCount <= Self.entryByteLimit
    {
      return append(kind, page: page, cause: cause, .message(message), byteCount: byteCount)
    }
    return append(
      kind, page: page, cause: cause,
      JournalEntry.members(message, marks(owner)))
  }

  private func append(
    _ kind: JournalEntry.Kind, page: PageName?, cause: Int?, _ members: [String: JSONValue]
  ) -> Int {
    var text = Self.text(of: members)
    if text.count > Self.entryByteLimit {
      var members = members
      members["data"] = nil
      members["note"] = .string("The data are omitted: they have \(text.count) bytes.")
      text = Self.text(of: members)
    }
    let cursor = buffer.nextCursor
    let time = clock.now.millisecondsSinceEpoch
    text.withUnsafeBufferPointer {
      buffer.append(kind, time: time, page: page, cause: cause, .members, text: $0)
    }
    tellObservers()
    return cursor
  }

  private static func text(of members: [String: JSONValue]) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(members)
    return writer.bytes
  }

  private func append(
    _ kind: JournalEntry.Kind,
    page: PageName?,
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
    let uncounted = (buffer.usedByteCount &- countedByteCount).magnitude
    if uncounted >= Self.uncountedLimit, uncounted >= countedByteCount.magnitude / 16 { countHeld() }
    if !isObserved { return }
    guard var entry = buffer.latest else { return }
    mask(&entry, secrets.patterns)
    for observer in observers.values { observer(entry) }
  }

  /// Sets the secrets that an entry removes when it is read.
  private func mask(_ entry: inout JournalEntry, _ patterns: SecretPatterns?) {
    entry.secrets = patterns
    entry.publicMembers = marks(nil).publicMembers
  }

  // MARK: Memory

  private func countHeld() {
    countedByteCount = buffer.usedByteCount
    space?.journal(self, holds: countedByteCount)
  }

  /// Drops the oldest entries, since other journals need memory. Drops the latest ones only if the journal is not in use.
  ///
  /// - Returns: The size of the journal in bytes; nil if there is nothing to drop.
  func giveUpOldest(isInUse: Bool) -> Int? {
    guard buffer.removeOldest(isInUse: isInUse) else { return nil }
    countedByteCount = buffer.usedByteCount
    return countedByteCount
  }

  // MARK: Reading

  /// The cursor of the latest entry; if there is none, one less than that of the first.
  package var lastCursor: Int { buffer.nextCursor - 1 }

  /// The number of entries so far.
  package var entryCount: Int { buffer.nextCursor - buffer.firstCursor }

  /// The time of the latest entry, in milliseconds since the Unix epoch, on the session's clock; nil if there is none.
  package var lastTime: Double? { buffer.latest?.time }

  /// Returns entries after a cursor, oldest first, up to a limit, and of one kind if `kind` is set. `next` is the cursor to continue from;
  /// `dropped` is the number of entries after the cursor that were dropped.
  package func entries(
    after cursor: Int,
    limit: Int,
    kind: JournalEntry.Kind? = nil
  ) -> (entries: [JournalEntry], next: Int, dropped: Int) {
    var page = buffer.page(after: cursor, limit: limit, kind: kind)
    let patterns = secrets.patterns
    for index in page.entries.indices { mask(&page.entries[index], patterns) }
    return page
  }

  /// Returns a value without the secrets that the session and the server have issued or received.
  package func withoutSecrets(_ value: JSONValue) -> JSONValue { secrets.patterns?.leavingOut(of: value) ?? value }

  /// Whether someone waits for entries.
  var isObserved: Bool { !observers.isEmpty }

  /// Calls `body` with each new entry, and with nil when the journal ends, as long as the result is held. If the journal has ended, calls it
  /// at once.
  package func onAppend(_ body: @escaping (JournalEntry?) -> Void) -> JournalObserver {
    if ending != nil {
      body(nil)
      return JournalObserver {}
    }
    lastObserver += 1
    let number = lastObserver
    observers[number] = body
    return JournalObserver { [self] in observers[number] = nil }
  }

  /// Ends the journal.
  func end(_ ending: Ending) {
    self.ending = ending
    for observer in observers.values { observer(nil) }
    observers = [:]
    space?.leave(self)
    space = nil
  }
}
