public import BridgeCore
public import Sessions

/// What people can choose on a bridge's sheets.
public struct SheetChoices: Sendable {
  /// The maximum size in bytes of a request that answers a sheet. By default, the usual limit of the control API.
  public var byteLimit = ControlRoute.usualBodyLimit
  /// Reads the members of an answer to a sheet of a kind. The sheet is nil for the answer of a rule. Throws `OptionError` with the place of a
  /// choice that the sheet does not offer.
  public var read:
    @Sendable (_ fields: InputNode, _ kind: String, _ sheet: Sheet?) throws(OptionError) -> [String: JSONValue] = {
      fields, _, _ throws(OptionError) in try fields.jsonMembers()
    }

  /// Answers with any members.
  public init() {}
}
