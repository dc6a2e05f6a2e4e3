package import BridgeCore
import BridgeRuntime

/// An event in a session.
package struct JournalEntry: Sendable {
  /// The kind of an event.
  package typealias Kind = JournalEntryKind

  /// The content of an entry.
  enum Content: Sendable {
    /// The text of a message. It is parsed when someone reads it.
    case text([UInt8])
    /// A long message to a page. It often shares its data with other messages, which then takes no extra memory.
    case message(BridgeMessage)
    /// The members of the entry as JSON text. They are parsed when someone reads them.
    case members([UInt8])
    /// An action and optional data, which is created when someone reads the entry.
    case action(String, data: (@Sendable () -> [String: JSONValue])?)
  }

  /// The cursors that a client may send: those that a JSON number holds exactly.
  package static let cursors = 0...(1 << 53) - 1

  /// The entry's place in the session's journal. The first is 1, or more if the session may have had another journal.
  package let cursor: Int
  /// The time of the event, in milliseconds since the Unix epoch, on the session's clock.
  let time: Double
  /// The kind of the event.
  let kind: Kind
  /// The page's id.
  let page: String?
  /// The cursor of the entry that caused this one.
  let cause: Int?
  let content: Content
  /// The secrets to remove when it is shown; nil if there are none.
  var secrets: SecretPatterns?
  /// The names of members that end like those of secrets, but are not secret.
  var publicMembers: Set<String> = []

  /// The entry for readers, with marks instead of secrets and images.
  package var json: JSONValue {
    var members: [String: JSONValue]
    let marks = JournalMarks(publicMembers: publicMembers)
    switch content {
    // Only a valid message is ever stored as text, so there is no error to report.
    case .text(let text): members = (try? BridgeMessage(parsing: text)).map { Self.members($0, marks) } ?? [:]
    case .message(let message): members = Self.members(message, marks)
    case .members(let text): members = marks.marked((try? JSONValue(parsing: text))?.objectValue ?? [:])
    case .action(let action, let data):
      members = ["action": .string(action)]
      members["data"] = data.map { .object(marks.marked($0())) }
    }
    members["cursor"] = .number(Double(cursor))
    members["time"] = .number(time)
    members["kind"] = .string(kind.rawValue)
    members["page"] = page.map { .string($0) }
    members["cause"] = cause.map { .number(Double($0)) }
    return secrets?.leavingOut(of: .object(members)) ?? .object(members)
  }

  /// The action of the entry; nil if it has none.
  var action: String? { json["action"]?.stringValue }

  /// The members of a message, without secrets.
  package static func members(_ message: BridgeMessage) -> [String: JSONValue] { members(message, JournalMarks()) }

  /// The members of a message, with marks instead of secrets.
  static func members(_ message: BridgeMessage, _ marks: JournalMarks) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "action": .string(JournalMarks.cut(message.action)),
      "correlationId": .string(JournalMarks.cut(message.correlationId)),
    ]
    members["data"] = message.payload.data.map { .object(marks.marked($0)) }
    members["status"] = message.payload.status.map { .string($0.rawValue) }
    members["error"] = message.payload.error.map {
      [
        "code": .string(JournalMarks.cut($0.code)), "message": .string(JournalMarks.cut($0.message)),
        "recoverable": .bool($0.recoverable),
      ]
    }
    return members
  }
}

/// The kind of an entry of the journal. docs/control-api.md describes each.
public enum JournalEntryKind: String, Sendable, CaseIterable {
  /// The page asked the host.
  case request
  /// The host answered the page.
  case response
  /// The host sent an event to the page, or the native part handled an event that the page has tracked.
  case event
  /// The host asked the page.
  case hostRequest
  /// The page answered the host.
  case pageResponse
  /// The page sent an event to the host.
  case pageEvent
  /// A native sheet waits for its answer.
  case sheetOpened
  /// A sheet was answered.
  case sheetAnswered
  /// The stored state of the session has changed.
  case store
  /// A rule, a gate or a policy has decided something.
  case decision
  /// A page opened, connected, lost its socket or ended.
  case page
  /// The control API has changed something.
  case control
  /// The linter has found something.
  case lint

  /// Whether a page has sent the message.
  var isOfPage: Bool { self == .request || self == .pageResponse || self == .pageEvent }
}

/// The name of a page in the control API and the journal. It is a number within the session, so that the same actions give the same names.
package struct PageName: Sendable, Hashable, LosslessStringConvertible {
  private static let prefix = "page-"

  /// The number, from 1.
  let number: Int

  init(number: Int) {
    self.number = number
  }

  /// Reads a name; nil if the text is none.
  package init?(_ description: String) {
    guard description.hasPrefix(Self.prefix), let number = Int(description.dropFirst(Self.prefix.count)) else {
      return nil
    }
    self.number = number
  }

  /// The name, such as `page-1`.
  package var description: String { "\(Self.prefix)\(number)" }
}
