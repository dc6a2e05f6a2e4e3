public import BridgeCore

/// A rule for the outcome of calls: which calls, how many of them, and the outcome.
public struct Rule: Sendable, Hashable {
  /// The rule's id; nil lets its session choose one.
  public let id: String?
  /// The action of the calls: `onside.purchase`, `today.headers`, `footbridge.sheet.payment`, `camera.document.capture`, …
  public let on: String
  /// A pattern for the call's data. Other members do not matter.
  public let pattern: JSONPattern
  /// Which of the matching calls it decides.
  public let times: Times
  /// Their outcome.
  public let outcome: Outcome
  /// The rule as it was written.
  public let source: JSONValue

  /// Creates a rule. `source` is the rule as it was written.
  public init(
    id: String?, on: String, pattern: JSONPattern, times: Times, outcome: Outcome, source: JSONValue
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

/// What a rule can decide, by the name in its `on`.
public struct RuleAction: Sendable, Hashable {
  /// What happens that a rule can decide.
  public enum Kind: Sendable, Hashable {
    /// A page's call, which has a socket and a response.
    case call
    /// What continues after a call was answered.
    case flow
    /// A native sheet.
    case sheet
    /// A message of the host to the page. `isQuestion` says whether the page answers.
    case callback(isQuestion: Bool)
    /// A request of the app's backend.
    case backendRequest
  }

  /// The prefix of the names of sheets.
  static let sheetPrefix = "footbridge.sheet."

  /// The name: an action, such as `onside.purchase`, or a sheet, such as `footbridge.sheet.payment`.
  public let name: String
  /// What it is.
  public let kind: Kind
  /// Whether a delay or a gate holds the call itself instead of its answer.
  public let isHeldBeforehand: Bool

  /// Creates an action with this name.
  public init(_ name: String, _ kind: Kind = .call, isHeldBeforehand: Bool = false) {
    self.name = name
    self.kind = kind
    self.isHeldBeforehand = isHeldBeforehand
  }

  /// Whether this is a message of the host to the page.
  public var isCallback: Bool { if case .callback = kind { true } else { false } }

  /// The kind of the sheet; nil if this is not a sheet.
  package var sheetKind: String? {
    name.hasPrefix(Self.sheetPrefix) ? String(name.dropFirst(Self.sheetPrefix.count)) : nil
  }
}
