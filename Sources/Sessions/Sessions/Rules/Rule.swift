public import BridgeCore

/// A rule that gives certain calls an outcome.
public struct Rule: Sendable, Hashable {
  /// The rule's id; nil if the session chooses one.
  public let id: String?
  /// The action of the calls: `onside.purchase`, `today.headers`, `footbridge.sheet.payment`, `camera.document.capture`, …
  public let on: String
  /// A pattern for the call's data, which may have further members.
  public let pattern: JSONPattern
  /// The matching calls that the rule decides.
  public let times: Times
  /// The outcome of these calls.
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

  /// The rule without its id.
  var unnamed: Rule {
    Rule(id: nil, on: on, pattern: pattern, times: times, outcome: outcome, source: source)
  }
}

/// Something that a rule can decide, with its name in `on`.
public struct RuleAction: Sendable, Hashable {
  /// The kinds of things that a rule can decide.
  public enum Kind: Sendable, Hashable {
    /// A call of a page, which gets a response over the page's socket.
    case call
    /// A flow that continues after its call was answered.
    case flow
    /// A native sheet.
    case sheet
    /// A message from the host to the page. `isQuestion` says whether the page answers it.
    case callback(isQuestion: Bool)
    /// A request to the app's backend.
    case backendRequest
  }

  /// The name of a request for the site, which belongs to no bridge.
  package static let siteRequest = "footbridge.request"
  /// The prefix of the names of sheets.
  package static let sheetPrefix = "footbridge.sheet."

  /// The name: an action, such as `onside.purchase`, or a sheet, such as `footbridge.sheet.payment`.
  public let name: String
  /// The kind.
  public let kind: Kind
  /// Whether a delay or a gate holds the call itself, not its answer.
  public let isHeldBeforehand: Bool

  /// Creates an action with this name.
  public init(_ name: String, _ kind: Kind = .call, isHeldBeforehand: Bool = false) {
    self.name = name
    self.kind = kind
    self.isHeldBeforehand = isHeldBeforehand
  }

  /// Whether this is a message from the host to the page.
  public var isCallback: Bool { if case .callback = kind { true } else { false } }

  /// The kind of the sheet; nil if this is not a sheet.
  package var sheetKind: String? {
    name.hasPrefix(Self.sheetPrefix) ? String(name.dropFirst(Self.sheetPrefix.count)) : nil
  }
}
