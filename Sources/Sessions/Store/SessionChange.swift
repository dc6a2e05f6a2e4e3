import BridgeRuntime

/// A change of one session for the store. It is stored completely or not at all.
struct SessionChange: Sendable {
  /// The session's key.
  let key: String
  /// The record after the last change; nil for the first change of a launch, which writes everything.
  let former: SessionRecord?
  /// The new record; nil deletes the session.
  let record: SessionRecord?
  /// The name of the world that the session shares with others. Their changes are stored together or not at all.
  var worldName: String? { (record ?? former)?.worldName }
  /// What proves that the session, and its world, are this replica's; empty if no other server shares the store.
  var fences: [SessionFence] = []
  /// The keys that fences must prove.
  var ownedKeys: [String] { [key] + (worldName.map { [SessionFence.key(ofWorld: $0)] } ?? []) }
  /// Whether the session outlasts its pages.
  var isLasting = true
  /// Whether ``isLasting`` differs from what the store has.
  var isLastingAnew = false
  /// The messages to and from pages.
  var pages: [PageChange] = []
  /// The ids of pages that have ended.
  var endedPages: [String] = []
  /// The answers to requests of the control API that have made the change.
  var answers: [KeptAnswer] = []
}

/// The changes of a page, stored together with its session: events for the page, and answers to its requests.
struct PageChange: Sendable, Hashable {
  /// An event that must reach the page.
  struct Event: Sendable, Hashable {
    let sequence: Int
    let action: String
    let text: [UInt8]
  }

  /// An answer to a request. If there are several to one request, the last one counts.
  struct Answer: Sendable, Hashable {
    /// The answer's number among the page's answers.
    let number: Int
    let correlationId: String
    let action: String
    let text: [UInt8]
  }

  /// The page.
  let pageID: String
  /// The number of the page's last event or request; nil if the store already has one of this run of the server.
  var lastSequence: Int?
  /// Events before this one are no longer needed; nil if the store knows.
  var oldestSequence: Int?
  /// Answers before this one are no longer needed; nil if the store knows.
  var oldestAnswer: Int?
  /// The calls that have run although their answers are no longer needed; nil if the store knows.
  var forgottenCalls: ForgottenCalls?
  /// The new events, oldest first.
  var events: [Event] = []
  /// The new answers, oldest first.
  var answers: [Answer] = []
}

/// The stored part of one page.
struct PageRecord: Sendable, Hashable {
  /// The number of the last event or request.
  var lastSequence = 0
  /// The events that the page may not have received, oldest first.
  var events: [PageChange.Event] = []
  /// The answers to requests that had an effect, oldest first.
  var answers: [PageChange.Answer] = []
  /// The requests that have run and whose answers are forgotten.
  var forgottenCalls = ForgottenCalls()
}

/// The changes of a list. The store keeps a row for each element, and the journal an entry for each change. So neither has to go through
/// the whole list.
struct RowChanges<Element: StoreRow> {
  /// New and changed elements in order, each with its earlier value.
  private(set) var written: [(former: Element?, present: Element)] = []
  /// The ids of removed elements, in order.
  private(set) var removed: [String] = []

  /// Compares two states of the list. Older elements are usually the same in both, at the same index.
  init(from former: SharedList<Element>, to present: SharedList<Element>) {
    let same = former.countOfSame(as: present)
    if same == former.count {
      written = present[same...].map { (nil, $0) }
      return
    }
    let formerByID = Dictionary(former[same...].map { ($0.rowID, $0) }, uniquingKeysWith: { $1 })
    for element in present[same...] {
      let earlier = formerByID[element.rowID]
      if earlier != element { written.append((earlier, element)) }
    }
    let left = Set(present[same...].map(\.rowID))
    removed = former[same...].map(\.rowID).filter { !left.contains($0) }
  }
}
