/// What someone answered to a ``Sheet``.
public struct SheetAnswer: Sendable, Hashable {
  /// Whether the person went on (bought, logged in, confirmed) or dismissed the sheet.
  public let approved: Bool
  /// What was chosen or entered, such as the account of a login; members depend on the kind of the sheet.
  public let fields: [String: JSONValue]

  /// The person went on, with these choices.
  public static func approve(_ fields: [String: JSONValue] = [:]) -> SheetAnswer {
    SheetAnswer(approved: true, fields: fields)
  }

  /// The person dismissed the sheet.
  public static let cancel = SheetAnswer(approved: false, fields: [:])
}
