import BridgeRuntime

/// The outcome that was decided for one call, until it has taken effect.
///
/// Its gate expects it from the decision on, however long it takes to get there. Releasing this ends that.
final class DecidedOutcome: Sendable {
  /// The outcome.
  let outcome: Outcome
  /// What it was decided for.
  let subject: SessionRules.Subject
  /// Its id at the gate; nil without a gate.
  let gateID: String?
  private let giveUp: @Sendable @BridgeActor (String) -> Void

  /// Creates an outcome that the gate expects as `gateID`. Calls `giveUp` with this id when the outcome is released.
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
