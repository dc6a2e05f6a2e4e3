package import BridgeCore
package import Sessions

/// The notifications of one session that the publisher's backend has not received yet. They are sent one at a time, in their order. A pure
/// state machine.
package struct NotificationOutbox: Sendable {
  /// One notification.
  package struct Entry: Sendable, Hashable {
    /// The id, which stays the same however often it is sent: `notificationUUID`.
    package let id: String
    /// What it says, before it is signed.
    package let content: JSONValue

    package init(id: String, content: JSONValue) {
      (self.id, self.content) = (id, content)
    }
  }

  /// What the owner does next.
  package enum Action: Sendable, Hashable {
    case none
    /// Send this, then call ``NotificationOutbox/delivered()`` or ``NotificationOutbox/failed()``.
    case send(Entry, attempt: Int)
    /// Call ``NotificationOutbox/timerFired()`` after this time.
    case wait(Duration)
  }

  private enum State {
    /// Nothing is waiting.
    case idle
    /// The first entry is being sent.
    case sending
    /// The first entry could not be delivered. It waits for its next attempt.
    case waiting
  }

  /// The maximum number of entries. The oldest ones that are not being sent are dropped first.
  package static let limit = 200
  /// How long to wait after the first failure. Each further failure doubles the time, up to ``longestPause``.
  static let firstPause = Duration.seconds(1)
  /// The longest time between two attempts.
  static let longestPause = Duration.seconds(300)

  /// The entries, oldest first. The first one may be on its way.
  package private(set) var entries: [Entry]
  private var state = State.idle
  /// How often the first entry could not be delivered.
  package private(set) var failureCount = 0

  /// Creates an outbox with entries that an earlier run has left.
  package init(_ entries: [Entry] = []) {
    self.entries = entries
  }

  /// The launch begins, or has been rolled back.
  package mutating func begin() -> Action { state == .idle ? sendFirst() : .none }

  /// Adds a notification. Returns what to do, and the one that was dropped for it.
  package mutating func add(_ entry: Entry) -> (action: Action, dropped: Entry?) {
    var dropped: Entry?
    let firstThatWaits = state == .sending ? 1 : 0
    if entries.count >= Self.limit, entries.count > firstThatWaits { dropped = entries.remove(at: firstThatWaits) }
    entries.append(entry)
    return (state == .idle ? sendFirst() : .none, dropped)
  }

  /// The backend has received the first entry.
  package mutating func delivered() -> Action {
    guard state == .sending, !entries.isEmpty else { return .none }
    entries.removeFirst()
    failureCount = 0
    return sendFirst()
  }

  /// The backend has not received the first entry, or has refused it.
  package mutating func failed() -> Action {
    guard state == .sending else { return .none }
    state = .waiting
    failureCount += 1
    let pause = Self.firstPause * (1 << min(failureCount - 1, 20))
    return .wait(min(pause, Self.longestPause))
  }

  /// The pause is over, or was cut short.
  package mutating func timerFired() -> Action { state == .waiting ? sendFirst() : .none }

  private mutating func sendFirst() -> Action {
    guard let first = entries.first else {
      state = .idle
      return .none
    }
    state = .sending
    return .send(first, attempt: failureCount + 1)
  }
}

extension NotificationOutbox.Entry {
  /// Reads what ``json`` has written; nil for anything else.
  init?(_ json: JSONValue) {
    guard let id = json["id"]?.stringValue, let content = json["content"] else { return nil }
    self.init(id: id, content: content)
  }

  /// The entry as the store keeps it.
  var json: JSONValue { ["id": .string(id), "content": content] }
}

extension SessionProfile {
  /// The member of Onside's part of the profile with the notifications that were not delivered yet.
  package static let outboxMember = "outbox"

  /// The notifications that were not delivered yet, oldest first.
  var notifications: [NotificationOutbox.Entry] {
    get { self["onside"][Self.outboxMember]?.arrayValue?.compactMap { NotificationOutbox.Entry($0) } ?? [] }
    set { self["onside"][Self.outboxMember] = newValue.isEmpty ? nil : .array(newValue.map(\.json)) }
  }
}
