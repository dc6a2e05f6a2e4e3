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
    /// For a request of a backend: it gets this status, with the field `Retry-After` in seconds if there is one.
    case status(Int, retryAfter: Int?)
  }

  /// What becomes of a message to the page: of a callback, or of the answer to a message that the page has made itself.
  public enum Delivery: Sendable, Hashable {
    /// It does not reach the page.
    case dropped
    /// It reaches the page twice.
    case doubled
    /// It waits for the next callback of the same name and page, and reaches the page after it. Callbacks only.
    case reordered
    /// It has a correlation id that no request has. Answers only.
    case unknownID
    /// The page gets this value in place of the message. Answers only.
    case raw(JSONValue)
  }

  /// The answer; nil leaves it to the host.
  public var answer: Answer?
  /// The delay of the answer, on the session's clock. With a ``longestDelay``, the shortest one.
  public var delay: Duration = .zero
  /// The longest delay, if each answer has its own delay by the seed of the session.
  public var longestDelay: Duration?
  /// The gate at which the answer waits, after the delay, until someone opens it.
  public var gate: String?
  /// Whether the page loses its socket when the call arrives.
  public var cutsSocket = false
  /// What becomes of the message to the page; nil for nothing unusual.
  public var delivery: Delivery?
  /// Whether the app is killed, after the wait, in place of what would happen.
  public var killsApp = false

  /// Creates an outcome. By default, nothing is changed.
  public init(
    answer: Answer? = nil, delay: Duration = .zero, longestDelay: Duration? = nil, gate: String? = nil,
    cutsSocket: Bool = false
  ) {
    self.answer = answer
    self.delay = delay
    self.longestDelay = longestDelay
    self.gate = gate
    self.cutsSocket = cutsSocket
  }

  /// The delay of one answer; nil if all have the same. `draw` gives a random number from 0 up to 1.
  func drawDelay(_ draw: () -> Double) -> Duration? {
    guard let longestDelay else { return nil }
    let range = (longestDelay - delay) / .milliseconds(1)
    return delay + .milliseconds(Int(draw() * (range + 1)))
  }

  /// The outcome with this delay.
  func delayed(_ delay: Duration) -> Outcome {
    var outcome = self
    outcome.delay = delay
    outcome.longestDelay = nil
    return outcome
  }

  /// Whether the answer must wait.
  var isHeld: Bool { delay > .zero || gate != nil }

  /// Whether the call ends in another way than without the rule. One that only waits, or whose page connects again, does not.
  var isOther: Bool { answer != nil || delivery != nil || killsApp }
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
  /// Its number among what the store keeps; nil if it does not.
  let keptNumber: Int?
  private let giveUp: @Sendable @BridgeActor (_ gateID: String?, _ keptNumber: Int?) -> Void

  /// Creates an outcome that the gate expects as `gateID`. Calls `giveUp` when the outcome is released.
  init(
    _ outcome: Outcome,
    _ subject: SessionRules.Subject,
    end: BridgeInstant,
    gateID: String?,
    keptNumber: Int?,
    giveUp: @escaping @Sendable @BridgeActor (_ gateID: String?, _ keptNumber: Int?) -> Void
  ) {
    self.outcome = outcome
    self.subject = subject
    self.end = end
    self.gateID = gateID
    self.keptNumber = keptNumber
    self.giveUp = giveUp
  }

  deinit {
    if gateID == nil, keptNumber == nil { return }
    Task { @BridgeActor [giveUp, gateID, keptNumber] in giveUp(gateID, keptNumber) }
  }
}
