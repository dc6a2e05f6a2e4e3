/// What a rule can decide, by the name in its `on`.
public struct RuleAction: Sendable, Hashable {
  /// The prefix of the names of sheets.
  static let sheetPrefix = "footbridge.sheet."

  /// The name: an action, such as `onside.purchase`, or a sheet, such as `footbridge.sheet.payment`.
  public let name: String
  /// Whether this is a page's call, which has a socket and a response.
  public let isCall: Bool
  /// Whether a delay or a gate holds the call itself instead of its answer.
  public let isHeldBeforehand: Bool

  /// Creates an action with this name.
  public init(_ name: String, isCall: Bool = true, isHeldBeforehand: Bool = false) {
    self.name = name
    self.isCall = isCall
    self.isHeldBeforehand = isHeldBeforehand
  }

  /// The kind of the sheet; nil if this is not a sheet.
  package var sheetKind: String? {
    name.hasPrefix(Self.sheetPrefix) ? String(name.dropFirst(Self.sheetPrefix.count)) : nil
  }
}
