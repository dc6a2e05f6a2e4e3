import BridgeCore
import BridgeRuntime

/// Everything that happens in a session, in order, with time and cause: what transcripts, failure reports and tests read.
///
/// Nobody may be reading, so that adding costs little: a message is kept as it came and read when someone looks. Only what is long or could
/// hold a secret is gone through at once, so that neither stays in memory.
@BridgeActor
final class Journal {
  /// The cursor of the entry in whose course things happen.
  @TaskLocal static var cause: Int?

  /// The session's clock.
  var clock: any BridgeClock

  private var buffer = JournalBuffer()
  /// Where the texts of messages go; nil before the first one.
  private var memory: JournalMemory?
  /// The host's requests that wait for a page's answer, by correlation id.
  private var hostRequests: [String: Int] = [:]
  private var observers: [Int: (JournalEntry?) -> Void] = [:]
  private var lastObserver = 0
  private var pageCount = 0

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
  private static let readByteLimit = 1 << 20

  /// Creates an empty journal.
  init(clock: any BridgeClock) {
    self.clock = clock
  }

  /// The id of a page that opens.
  func newPageID() -> String {
    pageCount += 1
    return "page-\(pageCount)"
  }

  // MARK: Writing

  /// Adds an entry and returns its cursor.
  @discardableResult
  func append(
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

  /// Adds a message whose action is `owner`'s, and returns its cursor. An answer to a page is caused by the request that it answers, which is
  /// the caller's to know; a page's answer by the host's request.
  @discardableResult
  func append(
    _ kind: JournalEntry.Kind,
    page: String,
    _ message: BridgeMessage,
    of owner: FootbridgeAction.Owner,
    text: UnsafeBufferPointer<UInt8>,
    cause: Int? = nil
  ) -> Int {
    var cause = cause
    let byteCount = text.count
    if kind == .pageResponse { cause = hostRequests.removeValue(forKey: message.correlationId) }
    if byteCount > Self.readByteLimit, kind.isOfPage {
      return append(
        kind, page: page, action: JournalMarks.cut(message.action),
        correlationId: JournalMarks.cut(message.correlationId),
        note: "Its data are left out: the message has \(byteCount) bytes.", cause: cause ?? Journal.cause)
    }
    let cursor =
      isPlain(kind, owner, byteCount: byteCount)
      ? append(
        kind, page: page, cause: cause ?? Journal.cause,
        kind.isOfPage ? .text(JournalText(text, in: &memory)) : .message(message), byteCount: byteCount)
      : append(kind, page: page, cause: cause ?? Journal.cause, JournalEntry.members(message))
    if kind == .hostRequest {
      if hostRequests.count >= Self.hostRequestLimit { hostRequests = [:] }
      hostRequests[message.correlationId] = cursor
    }
    return cursor
  }

  /// Whether a message can be kept as it came: it is short, or it is the store's own, which has no images, and holds no secret of Today's.
  private func isPlain(_ kind: JournalEntry.Kind, _ owner: FootbridgeAction.Owner, byteCount: Int) -> Bool {
    if owner == .today { return false }
    if byteCount <= Self.messageLimit { return true }
    return kind == .response && owner == .onside && byteCount <= Self.entryByteLimit
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
    let entry = JournalEntry(
      cursor: buffer.nextCursor, time: clock.now.millisecondsSinceEpoch, kind: kind, page: page, cause: cause,
      content: content, byteCount: byteCount)
    buffer.append(entry)
    if !observers.isEmpty { for observer in observers.values { observer(entry) } }
    return entry.cursor
  }

  // MARK: Reading

  /// The cursor of the latest entry; 0 before the first.
  var lastCursor: Int { buffer.nextCursor - 1 }

  /// The entries after a cursor, oldest first: at most so many, of one kind if there is one. `next` is where to go on, `dropped` how many
  /// there were after the cursor that are gone.
  func entries(
    after cursor: Int,
    limit: Int,
    kind: JournalEntry.Kind? = nil
  ) -> (entries: [JournalEntry], next: Int, dropped: Int) {
    buffer.page(after: cursor, limit: limit, kind: kind)
  }

  /// Calls `body` with each entry from now on, and with nil once the session is deleted, for as long as the result is held.
  func onAppend(_ body: @escaping (JournalEntry?) -> Void) -> JournalObserver {
    lastObserver += 1
    let number = lastObserver
    observers[number] = body
    return JournalObserver { [self] in observers[number] = nil }
  }

  /// The session is deleted: nothing will be added.
  func end() {
    for observer in observers.values { observer(nil) }
    observers = [:]
  }
}
