import BridgeCore

/// A body that answers a sheet: what can be chosen in it depends on the sheet.
struct SheetAnswerNode {
  private let approved: Bool
  private let fields: InputNode?

  /// Reads the part that all answers share.
  init(_ body: InputNode) throws(OptionError) {
    let members = try body.section(["approved", "fields"])
    guard let approved = try members["approved"]?.bool() else {
      throw body.expected("an object with at least approved")
    }
    self.approved = approved
    fields = members["fields"]
  }

  /// The answer to `sheet`. Throws when something is chosen that the sheet does not offer.
  func answer(to sheet: Sheet) throws(OptionError) -> SheetAnswer {
    guard let fields else { return approved ? .approve() : .cancel }
    switch sheet.kind {
    case "login":
      let members = try fields.section(["account", "method"])
      try Self.check(members["account"], among: sheet.content["accounts"])
      try Self.check(members["method"], among: sheet.content["methods"])
    case "capture":
      let answer = try CaptureAnswerNode(fields)
      return approved ? .approve(answer.fields) : .cancel
    default:
      if let (_, value) = try fields.members().first {
        throw value.expected("left out: there is nothing to choose in a \(sheet.kind) sheet")
      }
    }
    return approved ? .approve(try fields.jsonMembers()) : .cancel
  }

  /// Checks that `node`, where it is there, is the id of one of `choices`.
  private static func check(_ node: InputNode?, among choices: JSONValue?) throws(OptionError) {
    guard let node else { return }
    let ids = (choices?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
    guard ids.contains(try node.text()) else { throw node.expected("one of: \(ids.joined(separator: ", "))") }
  }
}
