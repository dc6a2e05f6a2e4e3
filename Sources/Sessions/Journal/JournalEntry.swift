package import BridgeCore
import BridgeRuntime

/// One thing that happened in a session.
package struct JournalEntry: Sendable {
  /// What kind of thing.
  package typealias Kind = JournalEntryKind

  /// What the entry tells besides its kind.
  enum Content: Sendable {
    /// The text of a message, which is read when someone wants to see it.
    case text([UInt8])
    /// A long message to a page. Its data are often those of other messages, too, and take no memory of their own.
    case message(BridgeMessage)
    /// Members of the entry.
    case members([String: JSONValue])
    /// An action, and data, if there are any, that are made when someone wants to see them.
    case action(String, data: (@Sendable () -> [String: JSONValue])?)
  }

  /// The entry's place in the session's journal, from 1.
  package let cursor: Int
  /// When it happened, in milliseconds since the Unix epoch, on the session's clock.
  let time: Double
  /// What kind of thing happened.
  let kind: Kind
  /// The page's id.
  let page: String?
  /// The cursor of the entry that caused this one.
  let cause: Int?
  let content: Content
  /// What is left out of it when it is shown; nil for nothing.
  var secrets: SecretPatterns?

  /// The entry as it may be shown: without secrets, and with marks in place of images.
  package var json: JSONValue {
    var members: [String: JSONValue]
    switch content {
    // Only the text of a message is ever stored, so there is no error to report.
    case .text(let text): members = (try? BridgeMessage(parsing: text)).map { Self.members($0) } ?? [:]
    case .message(let message): members = Self.members(message)
    case .members(let others): members = JournalMarks.marked(others)
    case .action(let action, let data):
      members = ["action": .string(action)]
      members["data"] = data.map { .object(JournalMarks.marked($0())) }
    }
    members["cursor"] = .number(Double(cursor))
    members["time"] = .number(time)
    members["kind"] = .string(kind.rawValue)
    members["page"] = page.map { .string($0) }
    members["cause"] = cause.map { .number(Double($0)) }
    return secrets?.leavingOut(of: .object(members)) ?? .object(members)
  }

  /// The members that tell a message, without secrets: those that are always left out, and `secretMembers`.
  package static func members(_ message: BridgeMessage, secretMembers: Set<String> = []) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "action": .string(JournalMarks.cut(message.action)),
      "correlationId": .string(JournalMarks.cut(message.correlationId)),
    ]
    members["data"] = message.payload.data.map { .object(JournalMarks.marked($0, secretMembers: secretMembers)) }
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
