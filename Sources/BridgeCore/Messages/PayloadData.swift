/// The `data` of a payload: members, or JSON text that was checked and is read when someone asks.
enum PayloadData: Sendable {
  case members([String: JSONValue])
  /// The text of one valid JSON object.
  case text([UInt8])
  /// What a message has that was received.
  case received(MessageContent)

  var members: [String: JSONValue] {
    switch self {
    case .members(let members): members
    // Only text that a scanner has accepted as an object is ever stored, so there is no error to report.
    case .text(let text):
      (try? JSONValue(parsing: text, depthLimit: JSONScanner.messageDepthLimit))?.objectValue ?? [:]
    case .received(let content): content.receivedMembers
    }
  }

  /// Whether the data can be written as JSON, which has no infinity and nothing that is not a number.
  var isEncodable: Bool {
    switch self {
    case .members(let members): members.values.allSatisfy(\.isEncodable)
    case .text, .received: true
    }
  }
}
