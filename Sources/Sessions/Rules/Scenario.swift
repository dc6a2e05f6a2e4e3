/// A named way for things to go: what a session begins with so that they do.
public struct Scenario: Sendable {
  /// The rules, first come first served.
  public var rules: [Rule] = []
  /// What sessions begin with at bridges, by the bridges' names.
  public var beginnings: [String: any BridgeBeginning] = [:]

  /// Creates a scenario; by default one in which everything goes as usual.
  public init(rules: [Rule] = [], beginnings: [String: any BridgeBeginning] = [:]) {
    self.rules = rules
    self.beginnings = beginnings
  }
}
