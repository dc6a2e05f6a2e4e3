/// A rule of the linter, which finds one kind of mistake that a page can make with a bridge. docs/lint.md lists all rules.
public struct LintRule: Sendable, Hashable, Identifiable {
  /// How bad the mistake is.
  public enum Severity: String, Sendable, CaseIterable {
    /// The page would fail or lose data on a device.
    case error
    /// The page may fail on a device, or does something that its authors probably do not intend.
    case warning
    /// The page works, but could be better.
    case information
  }

  /// The rule's id, such as `L04`.
  public let id: String
  /// How bad the mistake is. Single findings of the rule can have a lower severity.
  public let severity: Severity
  /// The mistake, in a few words, such as "A purchase of a product that was not loaded".
  public let title: String
  /// The requirement of the contract, in one sentence.
  public let contract: String
  /// The section of the contract.
  public let section: String
  /// The correction, in one sentence.
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

  /// The requirement of the contract, and the correction.
  var inWords: String { "\(contract) (\(section)) \(advice)" }
}

/// A mistake that a rule of the linter has found.
package struct LintFinding: Sendable, Hashable {
  /// The rule's id.
  package let rule: String
  /// The severity, if it differs from the rule's.
  var severity: LintRule.Severity?
  /// The page's id; nil if the finding belongs to no single page.
  var page: String?
  /// The cursor of the call in the journal; nil if the finding belongs to no call.
  var call: Int?
  /// A sentence about the mistake. It may contain any text from a page.
  let about: String

  /// Creates a finding.
  package init(
    _ rule: String, severity: LintRule.Severity? = nil, page: String? = nil, call: Int? = nil, _ about: String
  ) {
    self.rule = rule
    self.severity = severity
    self.page = page
    self.call = call
    self.about = about
  }
}
