public import BridgeCore
import BridgeRuntime

/// The outcome of a call.
public struct Outcome: Sendable, Hashable {
  /// An answer that replaces the host's.
  public enum Answer: Sendable, Hashable {
    /// The answer to a call. No handler gets the request, and it has no other effect.
    case response(BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?)
    /// The person's answer to a sheet.
    case sheet(SheetAnswer)
    /// The error of a flow that continues after its call was answered.
    case failure(String)
    /// The status of the answer to a request of the app's backend, with the field `Retry-After` in seconds if it is not nil.
    case status(Int, retryAfter: Int?)
  }

  /// How a message reaches the page: a callback, or the answer to a message that the page has written itself.
  public enum Delivery: Sendable, Hashable {
    /// It does not reach the page.
    case dropped
    /// It reaches the page twice.
    case doubled
    /// It reaches the page after the next callback of the same name. Callbacks only.
    case reordered
    /// It gets a correlation id that belongs to no request. Answers only.
    case unknownID
    /// The page gets this value instead of the message. Answers only.
    case raw(JSONValue)
  }

  /// The answer; nil leaves it to the host.
  public var answer: Answer?
  /// The delay of the answer, on the session's clock. If there is a ``longestDelay``, this is the shortest delay.
  public var delay: Duration = .zero
  /// The longest delay, if each answer gets a random delay from the session's seed; nil otherwise.
  public var longestDelay: Duration?
  /// The gate where the answer waits after the delay, until the gate is opened.
  public var gate: String?
  /// Whether the page loses its socket when the call arrives.
  public var cutsSocket = false
  /// How the message reaches the page; nil for the normal way.
  public var delivery: Delivery?
  /// Whether the app is killed after the wait. The call then has no other effect.
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

  /// Draws the delay of one answer; nil if all answers have the same delay. `draw` returns a random number in 0..<1.
  func drawDelay(_ draw: () -> Double) -> Duration? {
    guard let longestDelay else { return nil }
    let range = (longestDelay - delay) / .milliseconds(1)
    return delay + .milliseconds(Int(draw() * (range + 1)))
  }

  /// Returns the outcome with this delay.
  func delayed(_ delay: Duration) -> Outcome {
    var outcome = self
    outcome.delay = delay
    outcome.longestDelay = nil
    return outcome
  }

  /// Whether the answer must wait.
  var isHeld: Bool { delay > .zero || gate != nil }

  /// Whether the rule changes the outcome of the call. A delay, a gate or a cut socket alone does not.
  var isOther: Bool { answer != nil || delivery != nil || killsApp }
}

/// The outcome of one call, from the decision until it takes effect.
///
/// From the decision on, the gate of the outcome expects the call. When this object is released, the gate expects it no longer.
package final class RuleDecision: Sendable {
  /// The outcome.
  package let outcome: Outcome
  /// The call, flow or sheet.
  let subject: SessionRules.Subject
  /// The end of the delay, on the session's clock. The delay begins with the decision.
  let end: BridgeInstant
  /// The call's id at the gate; nil without a gate.
  let gateID: String?
  /// The number of the decision among the stored ones; nil if it is not stored.
  let storedNumber: Int?
  /// The number of the rule, if the call waits as it says.
  private let ruleNumber: Int?
  private let giveUp: GiveUp

  /// Gives up the call's place at the gate, its stored decision and its rule.
  typealias GiveUp = @Sendable @BridgeActor (_ gateID: String?, _ storedNumber: Int?, _ ruleNumber: Int?) -> Void

  /// Creates an outcome whose call the gate expects under `gateID`. Calls `giveUp` when the object is released.
  init(
    _ outcome: Outcome,
    _ subject: SessionRules.Subject,
    end: BridgeInstant,
    gateID: String?,
    storedNumber: Int?,
    ruleNumber: Int?,
    giveUp: @escaping GiveUp
  ) {
    self.outcome = outcome
    self.subject = subject
    self.end = end
    self.gateID = gateID
    self.storedNumber = storedNumber
    self.ruleNumber = ruleNumber
    self.giveUp = giveUp
  }

  deinit {
    if gateID == nil, storedNumber == nil, ruleNumber == nil { return }
    Task { @BridgeActor [giveUp, gateID, storedNumber, ruleNumber] in giveUp(gateID, storedNumber, ruleNumber) }
  }
}
