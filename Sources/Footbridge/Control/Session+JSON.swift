import BridgeCore
import BridgeRuntime

extension Session {
  /// The session as the control API shows it.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id),
      "name": profile.name.map { .string($0) } ?? .null,
      "platform": .string(platform.rawValue),
      "present": .string(sheets.mode.rawValue),
      "pages": .array(pages.map(\.json)),
      "openSheets": .number(Double(sheets.open.count)),
      "clock": clock.json,
      "scenario": profile.scenario.map { .string($0) } ?? .null,
    ]
    for bridge in bridges { members.merge(bridge.json) { $1 } }
    return .object(members)
  }
}

extension Page {
  /// The page as the control API shows it.
  var json: JSONValue {
    [
      "id": .string(id), "url": document.map { .string($0.url) } ?? .null,
      "listening": .bool(isListening),
    ]
  }
}

extension SessionSheets.OpenSheet {
  /// The sheet as the control API shows it.
  var json: JSONValue {
    [
      "id": .string(sheet.id), "kind": .string(sheet.kind), "content": .object(sheet.content),
      "openedAt": .string(openedAt.rfc3339),
    ]
  }
}
