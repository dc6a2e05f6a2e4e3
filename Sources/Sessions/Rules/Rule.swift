public import BridgeCore

/// What becomes of calls on purpose: which calls, how often, and what.
public struct Rule: Sendable, Hashable {
  /// Which of the calls that match are meant.
  public enum Times: Sendable, Hashable {
    /// The first one.
    case once
    /// Each one, until the rule is taken away.
    case always
    /// The one of this number, counted from 1 since the rule is there.
    case nth(Int)
  }

  /// What the rule is called; nil lets its session find a name.
  public let id: String?
  /// Which calls: `onside.purchase`, `today.headers`, `footbridge.sheet.payment`, `camera.document.capture`, …
  public let on: String
  /// What the call's data must be, as far as this goes: other members do not matter.
  public let pattern: [String: JSONValue]
  /// Which of them.
  public let times: Times
  /// What becomes of them.
  public let outcome: Outcome
  /// The rule as it was written.
  public let source: JSONValue

  /// Creates a rule. `source` is the rule as it was written.
  public init(
    id: String?, on: String, pattern: [String: JSONValue], times: Times, outcome: Outcome, source: JSONValue
  ) {
    self.id = id
    self.on = on
    self.pattern = pattern
    self.times = times
    self.outcome = outcome
    self.source = source
  }

  /// The rule without its name.
  var unnamed: Rule {
    Rule(id: nil, on: on, pattern: pattern, times: times, outcome: outcome, source: source)
  }
}
