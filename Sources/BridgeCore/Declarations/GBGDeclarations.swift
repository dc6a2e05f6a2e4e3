import BridgeRuntime

/// The behaviour of a host without Swift code: capabilities, canned answers, and requests that wait.
///
/// This is plain data, so that it can come from a file. ``BridgeHost/apply(_:)`` gives it to a host.
public struct GBGDeclarations: Sendable, Hashable {
  /// A capability in the answer to `capability.query`.
  public struct Capability: Sendable, Hashable {
    /// The description in the answer to the query.
    public var info: BridgeCapabilityInfo
    /// The answer to requests whose action is the capability's id. Without one, they are routed as if the capability did not exist:
    /// in the end they wait for an answer by hand.
    public var answer: Answer?

    /// Creates a capability.
    public init(
      info: BridgeCapabilityInfo = BridgeCapabilityInfo(supported: true, version: "1.0"), answer: Answer? = nil
    ) {
      self.info = info
      self.answer = answer
    }
  }

  /// The answer to every request of one action.
  public struct Answer: Sendable, Hashable {
    /// The status.
    public var status: BridgeResponseStatus
    /// The data.
    public var data: [String: JSONValue]?
    /// The error, if the status is `error`.
    public var error: BridgeErrorPayload?
    /// How long a request waits for its answer, on the host's clock.
    public var delay: Duration

    /// Creates an answer.
    public init(
      status: BridgeResponseStatus = .success,
      data: [String: JSONValue]? = nil,
      error: BridgeErrorPayload? = nil,
      delay: Duration = .zero
    ) {
      self.status = status
      self.data = data
      self.error = error
      self.delay = delay
    }
  }

  /// Capabilities by id.
  public var capabilities: [String: Capability]
  /// Answers by action. They replace whatever else handles the action: a capability's own answer, a capture slot, `capability.query`.
  public var answers: [String: Answer]
  /// Actions whose requests wait to be answered by hand, whatever else would handle them.
  public var pending: Set<String>

  /// Creates declarations; without arguments, none.
  public init(
    capabilities: [String: Capability] = [:],
    answers: [String: Answer] = [:],
    pending: Set<String> = []
  ) {
    self.capabilities = capabilities
    self.answers = answers
    self.pending = pending
  }
}

/// Answers every request of one action with the same answer.
@BridgeActor
final class CannedAnswerHandler: ImmediateBridgeCapabilityHandler {
  nonisolated let action: String
  private let answer: GBGDeclarations.Answer
  private let clock: any BridgeClock

  init(_ action: String, _ answer: GBGDeclarations.Answer, _ clock: any BridgeClock) {
    self.action = action
    self.answer = answer
    self.clock = clock
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) {
    let answer = answer
    guard answer.delay > .zero else {
      return responder.respond(status: answer.status, data: answer.data, error: answer.error)
    }
    // Computed now, since a test may move the clock before the task begins.
    let end = clock.now.advanced(by: answer.delay)
    Task { [clock] in
      try await clock.sleep(until: end)
      responder.respond(status: answer.status, data: answer.data, error: answer.error)
    }
  }
}

extension BridgeHost {
  /// Applies declarations. Call it after setting the slots' handlers and before the developer's own code, which then has the last
  /// word.
  ///
  /// A slot whose action is declared as answered or pending loses its handler, but its capability stays the same. A capability with the
  /// id of a slot sets whether the slot is enabled, its version, constraints and permission state, and its answer is that of the slot's action.
  public func apply(_ declarations: GBGDeclarations) {
    var answers = declarations.answers
    for (id, capability) in declarations.capabilities {
      let slot = slots.first { $0.id == id }
      if let slot {
        slot.isEnabled = capability.info.supported
        slot.version = capability.info.version
        slot.constraints = capability.info.constraints
        if let state = capability.info.permissionState.flatMap(PermissionState.init) { slot.permissionState = state }
      } else {
        declareCapability(id, capability.info)
      }
      let action = slot?.actionId ?? id
      if let answer = capability.answer, answers[action] == nil { answers[action] = answer }
    }
    for slot in slots where answers[slot.actionId] != nil || declarations.pending.contains(slot.actionId) {
      declareCapability(slot.id, slot.buildCapabilityInfo())
      slot.handler = nil
    }
    for (action, answer) in answers { replaceHandler(of: action, with: CannedAnswerHandler(action, answer, clock)) }
    for action in declarations.pending { replaceHandler(of: action, with: nil) }
  }
}
