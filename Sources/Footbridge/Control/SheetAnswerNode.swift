import BridgeCore

/// Reads the answer to a sheet. The kind of the sheet decides which members are allowed.
struct SheetAnswerNode {
  private let approved: Bool
  private let fields: InputNode?

  /// Reads the members that all answers share.
  init(_ body: InputNode) throws(OptionError) {
    let members = try body.section(["approved", "fields"])
    guard let approved = try members["approved"]?.bool() else {
      throw body.expected("an object with at least approved")
    }
    self.approved = approved
    fields = members["fields"]
  }

  /// The answer to `sheet`. Throws if it chooses something that the sheet does not offer.
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
        throw value.expected("left out: a \(sheet.kind) sheet has nothing to choose")
      }
    }
    return approved ? .approve(try fields.jsonMembers()) : .cancel
  }

  /// Checks that `node` is nil or the id of one of `choices`.
  private static func check(_ node: InputNode?, among choices: JSONValue?) throws(OptionError) {
    guard let node else { return }
    let ids = (choices?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
    guard ids.contains(try node.text()) else { throw node.expected("one of: \(ids.joined(separator: ", "))") }
  }
}
