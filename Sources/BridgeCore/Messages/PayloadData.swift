/// The `data` of a payload: members, or JSON text that was checked and is read when someone asks.
enum PayloadData: Sendable {
  case members([String: JSONValue])
  /// The text of one valid JSON object.
  case text([UInt8])

  var members: [String: JSONValue] {
    switch self {
    case .members(let members): members
    // Only text that a scanner has accepted as an object is ever stored, so there is no error to report.
    case .text(let text):
      (try? JSONValue(parsing: text, depthLimit: JSONScanner.messageDepthLimit))?.objectValue ?? [:]
    }
  }
}
