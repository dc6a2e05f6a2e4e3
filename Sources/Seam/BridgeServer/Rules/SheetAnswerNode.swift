package import BridgeCore
package import Sessions

/// Reads the answer to a sheet: `{approved, fields?}`.
package struct SheetAnswerNode {
  private let approved: Bool
  private let fields: InputNode?

  /// Reads the members that all answers share.
  package init(_ node: InputNode) throws(OptionError) {
    let members = try node.section(["approved", "fields"])
    guard let approved = try members["approved"]?.bool() else {
      throw node.expected("an object with at least approved")
    }
    self.approved = approved
    fields = members["fields"]
  }

  /// The answer to a sheet of a bridge.
  ///
  /// - Parameters:
  ///   - kind: The kind of the sheet.
  ///   - sheet: The sheet, if it is open; nil for the answer of a rule.
  /// - Throws: `OptionError` if the answer chooses something that the sheet does not offer.
  package func answer(
    to kind: String, _ sheet: Sheet? = nil, of bridge: (any BridgeDefinition)?
  ) throws(OptionError) -> SheetAnswer {
    guard let fields else { return approved ? .approve() : .cancel }
    let read: [String: JSONValue]
    if let bridge = bridge as? any ConfigurableBridge {
      read = try bridge.sheetChoices.read(fields, kind, sheet)
    } else {
      read = try fields.jsonMembers()
    }
    return approved ? .approve(read) : .cancel
  }
}

extension InputNode {
  /// Checks that there are no fields: the sheet has nothing to choose.
  package func noSheetFields(of kind: String) throws(OptionError) -> [String: JSONValue] {
    if let (_, value) = try members().first {
      throw value.expected("left out: a \(kind) sheet has nothing to choose")
    }
    return [:]
  }

  /// Checks that this is the id of one of a sheet's choices.
  package func check(among choices: JSONValue?) throws(OptionError) {
    let ids = (choices?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
    guard ids.contains(try text()) else { throw expected(oneOf: ids) }
  }
}
