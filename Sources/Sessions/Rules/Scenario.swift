/// A named starting point for sessions, with rules for a certain outcome.
public struct Scenario: Sendable {
  /// The rules, in order. The first match wins.
  public var rules: [Rule] = []
  /// What bridges begin with, by their names.
  public var beginnings: [String: any BridgeBeginning] = [:]

  /// Creates a scenario. By default, it changes nothing.
  public init(rules: [Rule] = [], beginnings: [String: any BridgeBeginning] = [:]) {
    self.rules = rules
    self.beginnings = beginnings
  }
}
