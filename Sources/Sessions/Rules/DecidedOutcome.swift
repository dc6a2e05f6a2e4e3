import BridgeRuntime

/// An outcome on its way: what was decided about one call, until that has happened.
///
/// It is expected at its gate from the decision on, however long what comes before the gate takes. Letting go of it ends that.
final class DecidedOutcome: Sendable {
  /// What was decided.
  let outcome: Outcome
  /// About what.
  let subject: SessionRules.Subject
  /// By what its gate knows it; nil without a gate.
  let gateID: String?
  private let giveUp: @Sendable @BridgeActor (String) -> Void

  /// Creates an outcome that is expected at its gate as `gateID`. `giveUp` is called with that once nobody holds the outcome any more.
  init(
    _ outcome: Outcome,
    _ subject: SessionRules.Subject,
    gateID: String?,
    giveUp: @escaping @Sendable @BridgeActor (String) -> Void
  ) {
    self.outcome = outcome
    self.subject = subject
    self.gateID = gateID
    self.giveUp = giveUp
  }

  deinit {
    guard let gateID else { return }
    Task { @BridgeActor [giveUp] in giveUp(gateID) }
  }
}
