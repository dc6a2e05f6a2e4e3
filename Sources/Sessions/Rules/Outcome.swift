public import BridgeCore
import BridgeRuntime

/// The outcome of a call.
public struct Outcome: Sendable, Hashable {
  /// An answer that replaces the host's.
  public enum Answer: Sendable, Hashable {
    /// For a call: this response. No handler sees the request, and it has no other effect.
    case response(BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?)
    /// For a sheet: what the person does.
    case sheet(SheetAnswer)
    /// For a flow that continues after its call was answered: it fails with this error.
    case failure(String)
  }

  /// The answer; nil leaves it to the host.
  public var answer: Answer?
  /// The delay of the answer, on the session's clock.
  public var delay: Duration = .zero
  /// The gate at which the answer waits, after the delay, until someone opens it.
  public var gate: String?
  /// Whether the page loses its socket when the call arrives.
  public var cutsSocket = false

  /// Creates an outcome. By default, nothing is changed.
  public init(answer: Answer? = nil, delay: Duration = .zero, gate: String? = nil, cutsSocket: Bool = false) {
    self.answer = answer
    self.delay = delay
    self.gate = gate
    self.cutsSocket = cutsSocket
  }

  /// Whether the answer must wait.
  var isHeld: Bool { delay > .zero || gate != nil }
}

/// The outcome that was decided for one call, until it has taken effect.
///
/// Its gate expects it from the decision on, however long it takes to get there. Releasing this ends that.
final class DecidedOutcome: Sendable {
  /// The outcome.
  let outcome: Outcome
  /// What it was decided for.
  let subject: SessionRules.Subject
  /// When its delay ends, on the session's clock: the delay begins with the decision.
  let end: BridgeInstant
  /// Its id at the gate; nil without a gate.
  let gateID: String?
  private let giveUp: @Sendable @BridgeActor (String) -> Void

  /// Creates an outcome that the gate expects as `gateID`. Calls `giveUp` with this id when the outcome is released.
  init(
    _ outcome: Outcome,
    _ subject: SessionRules.Subject,
    end: BridgeInstant,
    gateID: String?,
    giveUp: @escaping @Sendable @BridgeActor (String) -> Void
  ) {
    self.outcome = outcome
    self.subject = subject
    self.end = end
    self.gateID = gateID
    self.giveUp = giveUp
  }

  deinit {
    guard let gateID else { return }
    Task { @BridgeActor [giveUp] in giveUp(gateID) }
  }
}
