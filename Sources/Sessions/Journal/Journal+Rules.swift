import BridgeCore

/// Entries about rules.
extension Journal {
  /// A rule has decided.
  func note(_ decision: RuleList.Decision, about subject: SessionRules.Subject) {
    append(
      .decision, page: subject.pageID, action: subject.action, correlationId: subject.correlationID,
      data: ["rule": .string(decision.id), "then": decision.rule.source["then"] ?? [:]])
  }

  /// A call waits at a gate, or continues.
  func note(gate: String, _ subject: SessionRules.Subject, isOpen: Bool) {
    append(
      .decision, page: subject.pageID, action: subject.action, correlationId: subject.correlationID,
      data: ["gate": .string(gate), "open": .bool(isOpen)])
  }
}
