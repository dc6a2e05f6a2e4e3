public import BridgeCore

/// What becomes of a call.
public struct Outcome: Sendable, Hashable {
  /// An answer in place of what the host would do.
  public enum Answer: Sendable, Hashable {
    /// Of a call: this response. No handler sees the request, and nothing else happens.
    case response(BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?)
    /// Of a sheet: this is what the person does.
    case sheet(SheetAnswer)
    /// Of a flow that goes on after its call was answered: it fails with this case of its error.
    case failure(String)
  }

  /// The answer; nil leaves it to the host.
  public var answer: Answer?
  /// How long the answer waits, by the session's clock.
  public var delay: Duration = .zero
  /// The gate at which the answer waits until someone opens it, after the delay.
  public var gate: String?
  /// Whether the page loses its socket when the call arrives.
  public var cutsSocket = false

  /// Creates an outcome; that of no rule by default.
  public init(answer: Answer? = nil, delay: Duration = .zero, gate: String? = nil, cutsSocket: Bool = false) {
    self.answer = answer
    self.delay = delay
    self.gate = gate
    self.cutsSocket = cutsSocket
  }

  /// Whether something has to wait.
  var isHeld: Bool { delay > .zero || gate != nil }
}
