package import BridgeCore
package import BridgeRuntime

/// The linter of one session. It collects and reports the findings of the bridges' rules, and survives a relaunch of the app.
///
/// A page can cause any number of findings. So only the first ones of each rule are reported in detail; all are counted.
@BridgeActor
package final class SessionLint {
  /// The time that a page has at the end of a test to react to what has just happened.
  package nonisolated static let grace = Duration.seconds(1)
  /// The maximum wait, on the machine's clock, for pages to finish ended work. It is a little longer than ``grace``.
  nonisolated static let longestWait = grace + .milliseconds(100)
  /// The pause between two checks.
  nonisolated static let interval = Duration.milliseconds(20)
  /// The maximum number of findings of one rule that are reported in detail.
  static let toldLimit = 10
  /// The maximum number of characters of a finding's text.
  static let textLimit = 300
  /// The maximum number of characters of a finding's own text in a line of the log.
  private static let lineTextLimit = 150

  /// The maximum number of actions that are remembered as decided by rules.
  private static let decidedLimit = 200

  /// The findings of one rule.
  private struct Record {
    var findings: [JSONValue] = []
    /// The errors among them, each as one line.
    var errorLines: [String] = []
    var count = 0
    /// The number of findings with the severity `error`.
    var errorCount = 0
  }

  /// The rules, by their ids.
  package private(set) var rules: [String: LintRule]
  /// The ids of the rules that the configuration has switched off.
  package let silenced: Set<String>
  /// The ids of the rules whose findings a test expects.
  package private(set) var expected: Set<String> = []

  /// The actions of calls whose outcome a test's rule has changed.
  private(set) var decidedActions: Set<String> = []
  /// Called when a rule has changed the outcome of a call, with the call and its data.
  package var onDecision: ((Outcome, SessionRules.Subject, _ data: () -> JSONValue) -> Void)?
  private var records: [String: Record] = [:]
  private let journal: Journal
  private let log: PageLog

  /// Creates the linter of a session with the rules of these bridges, without those that are `silenced`.
  init(_ rules: [String: LintRule], silenced: Set<String>, journal: Journal, log: PageLog) {
    self.rules = rules
    self.silenced = silenced
    self.journal = journal
    self.log = log
  }

  /// Notes that a test's rule has changed the outcome of a call. The consequences are not the page's mistakes.
  func ruleDecided(_ outcome: Outcome, about subject: SessionRules.Subject, _ data: () -> JSONValue) {
    if decidedActions.count < Self.decidedLimit { decidedActions.insert(subject.action) }
    onDecision?(outcome, subject, data)
  }

  /// Whether a rule is switched on. Otherwise its check can be skipped.
  func isOn(_ rule: String) -> Bool { rules[rule] != nil && !silenced.contains(rule) }

  /// Reports a finding: counts it, logs it, and adds it to the journal.
  func report(_ finding: LintFinding) {
    guard let rule = rules[finding.rule], isOn(rule.id) else { return }
    let severity = finding.severity ?? rule.severity
    let isFirst = records[rule.id] == nil
    records[rule.id, default: Record()].count += 1
    if severity == .error { records[rule.id]?.errorCount += 1 }
    guard let record = records[rule.id] else { return }
    // Warnings must not keep errors of the same rule from a strict run.
    let toldCount = severity == .error ? record.errorLines.count : record.findings.count
    guard toldCount < Self.toldLimit else { return }
    let about = finding.about.count > Self.textLimit ? finding.about.prefix(Self.textLimit) + "…" : finding.about
    let data: [String: JSONValue] = [
      "severity": .string(severity.rawValue), "title": .string(rule.title), "about": .string(about),
      "contract": .string(rule.contract), "section": .string(rule.section), "advice": .string(rule.advice),
    ]
    let cursor = journal.append(
      .lint, page: finding.page, action: rule.id, data: data, cause: finding.call ?? Journal.cause)
    var told = data
    told["rule"] = .string(rule.id)
    told["entry"] = .number(Double(cursor))
    told["page"] = finding.page.map { .string($0) }
    told["call"] = (finding.call ?? Journal.cause).map { .number(Double($0)) }
    records[rule.id]?.findings.append(.object(told))
    let line = line(of: finding, severity, rule)
    if severity == .error { records[rule.id]?.errorLines.append(line) }
    if isFirst, !expected.contains(rule.id) { log.note("Session \(log.session): \(line) (docs/lint.md)") }
  }

  /// Returns a finding as text for people who do not see the journal: the mistake, its call, the requirement of the contract and its section,
  /// and the correction.
  private func line(of finding: LintFinding, _ severity: LintRule.Severity, _ rule: LintRule) -> String {
    let about = finding.about
    let text = about.count > Self.lineTextLimit ? about.prefix(Self.lineTextLimit) + "…" : about
    let call = (finding.call ?? Journal.cause).map { cursor in
      let action = journal.entries(after: cursor - 1, limit: 1).entries.first { $0.cursor == cursor }?.action
      return "#\(cursor)\(action.map { " \($0.prefix(60))" } ?? "")"
    }
    let place = [call, finding.page].compactMap(\.self).joined(separator: ", ")
    let line = "\(rule.id) \(severity.rawValue): \(text)\(place.isEmpty ? "" : " (\(place))") \(rule.inWords)"
    return journal.withoutSecrets(.string(line)).stringValue ?? line
  }

  /// Marks findings of a rule, past and future ones, as expected by a test. They no longer count as errors.
  package func expect(_ rule: String) {
    expected.insert(rule)
  }

  /// Applies other rules from now on, since the session has other bridges.
  func apply(_ rules: [String: LintRule]) {
    self.rules = rules
  }

  // MARK: Reading

  /// The detailed findings that are errors and that no test expects, each as one line, in the order of the rules.
  package var errorLines: [String] {
    records.sorted { $0.key < $1.key }.flatMap { expected.contains($0) ? [] : $1.errorLines }
  }

  /// The detailed findings, in the order of the rules.
  private var findings: [JSONValue] {
    records.sorted { $0.key < $1.key }.flatMap { id, record in
      record.findings.map { finding in
        var members = finding.objectValue ?? [:]
        members["expected"] = .bool(expected.contains(id))
        return journal.withoutSecrets(.object(members))
      }
    }
  }

  /// How many errors it has found that no test expects.
  package var errorCount: Int {
    records.filter { !expected.contains($0.key) }.reduce(0) { $0 + $1.value.errorCount }
  }

  /// All findings, as the control API shows them.
  package var json: JSONValue {
    let counts = records.mapValues { JSONValue.number(Double($0.count)) }
    func list(_ rules: Set<String>) -> JSONValue { .array(rules.sorted().map { .string($0) }) }
    return [
      "findings": .array(findings), "counts": .object(counts), "errors": .number(Double(errorCount)),
      "expected": list(expected), "missing": list(expected.subtracting(records.keys)), "silenced": list(silenced),
    ]
  }
}

/// The errors that the linter has found in ended sessions of the server. With `--strict`, they make `footbridge exec` fail.
@BridgeActor
package final class LintTally {
  /// The maximum number of findings that are remembered.
  package static let limit = 200
  /// The findings, oldest first, each on one line.
  package private(set) var lines: [String] = []
  /// The number of all findings.
  package private(set) var count = 0

  init() {}

  /// Adds the errors of a session that ends, without those that its tests expected.
  package func add(_ lint: SessionLint) {
    let found = lint.errorLines
    count += found.count
    lines += found.prefix(max(0, Self.limit - lines.count)).map(PageLog.line)
  }
}
