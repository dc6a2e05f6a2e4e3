/// A rule of the linter: a way in which a page breaks the contract of a bridge, or comes near to it. docs/lint.md lists all rules.
public struct LintRule: Sendable, Hashable, Identifiable {
  /// How bad it is.
  public enum Severity: String, Sendable, CaseIterable {
    /// The page would fail on a device, or lose something.
    case error
    /// The page may fail on a device, or does what its authors probably do not want.
    case warning
    /// The page could do better.
    case information
  }

  /// The rule's id, such as `L04`.
  public let id: String
  /// How bad it is. Some findings of a rule can be less bad.
  public let severity: Severity
  /// What the page does, in a few words: "Buying a product that was not loaded".
  public let title: String
  /// What the contract says, in one sentence.
  public let contract: String
  /// The section of the contract.
  public let section: String
  /// What to do instead, in one sentence.
  public let advice: String

  /// Creates a rule.
  public init(
    _ id: String, _ severity: Severity, _ title: String, contract: String, section: String, advice: String
  ) {
    self.id = id
    self.severity = severity
    self.title = title
    self.contract = contract
    self.section = section
    self.advice = advice
  }

  /// What the contract says, and what to do.
  var inWords: String { "\(contract) (\(section)) \(advice)" }
}

/// What a rule of the linter has found.
package struct LintFinding: Sendable, Hashable {
  /// The rule's id.
  package let rule: String
  /// How bad it is, if that is not the rule's severity.
  var severity: LintRule.Severity?
  /// The page; nil if it is none's in particular.
  var page: String?
  /// The cursor of the call in the journal; nil if there is none.
  var call: Int?
  /// What was found, in one sentence. It may contain anything from a page.
  let about: String

  /// Creates a finding.
  init(_ rule: String, severity: LintRule.Severity? = nil, page: String? = nil, call: Int? = nil, _ about: String) {
    self.rule = rule
    self.severity = severity
    self.page = page
    self.call = call
    self.about = about
  }
}
