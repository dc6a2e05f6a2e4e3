import BridgeRuntime

/// The behaviour of a host, declared without Swift code: capabilities, fixed answers, and requests that wait.
///
/// This is plain data, so that it can come from a file. ``BridgeHost/apply(_:)`` applies it to a host.
///
/// ```swift
/// host.apply(GBGDeclarations(answers: ["nfc.read": .init(data: ["chipRead": true], delay: .seconds(2))]))
/// ```
public struct GBGDeclarations: Sendable, Hashable {
  /// A capability in the answer to `capability.query`.
  public struct Capability: Sendable, Hashable {
    /// The description in the answer to the query.
    public var info: BridgeCapabilityInfo
    /// The answer to requests whose action is the capability's id. Without one, they are routed as if the capability were not declared:
    /// if nothing else handles them, they wait in ``BridgeHost/pendingRequests``.
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
  /// Answers by action. They replace every other handler of the action: a capability's own answer, a capture slot, `capability.query`.
  public var answers: [String: Answer]
  /// Actions whose requests wait in ``BridgeHost/pendingRequests``, even if something else would handle them.
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
    // Computed before the task starts, since a test may advance the clock first.
    let end = clock.now.advanced(by: answer.delay)
    Task { [clock] in
      try await clock.sleep(until: end)
      responder.respond(status: answer.status, data: answer.data, error: answer.error)
    }
  }
}

extension BridgeHost {
  /// Applies declarations. Call it after setting the slots' handlers, and before your own code registers handlers: those then replace the
  /// declared ones.
  ///
  /// A slot whose action is declared as answered or pending loses its handler, but its capability stays the same. A capability with the
  /// id of a slot sets whether the slot is enabled, its version, constraints and permission state; its answer is for the slot's action.
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
