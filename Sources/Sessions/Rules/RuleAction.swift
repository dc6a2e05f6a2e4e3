/// What a rule can be about, by the name that it has in the rule's `on`.
public struct RuleAction: Sendable, Hashable {
  /// Where the names of sheets begin.
  static let sheetPrefix = "footbridge.sheet."

  /// The name: an action, such as `onside.purchase`, or a native screen by its kind, as `footbridge.sheet.payment`.
  public let name: String
  /// Whether this is a page's call, which has a socket and a response.
  public let isCall: Bool
  /// Whether a delay or a gate holds the call itself, and not its answer.
  public let isHeldBeforehand: Bool

  /// Creates the action of this name.
  public init(_ name: String, isCall: Bool = true, isHeldBeforehand: Bool = false) {
    self.name = name
    self.isCall = isCall
    self.isHeldBeforehand = isHeldBeforehand
  }

  /// The kind of the native screen that this is; nil when it is none.
  package var sheetKind: String? {
    name.hasPrefix(Self.sheetPrefix) ? String(name.dropFirst(Self.sheetPrefix.count)) : nil
  }
}
