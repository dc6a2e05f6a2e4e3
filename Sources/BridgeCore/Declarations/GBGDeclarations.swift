/// The behaviour of a host without Swift code: capabilities, canned answers, and requests that wait.
///
/// This is plain data, so that it can come from a file. ``BridgeHost/apply(_:)`` gives it to a host.
public struct GBGDeclarations: Sendable, Hashable {
  /// A capability in the answer to `capability.query`.
  public struct Capability: Sendable, Hashable {
    /// What the query's answer says.
    public var info: BridgeCapabilityInfo
    /// The answer to requests with the capability's id as their action. Without one they go where they would go without the capability,
    /// which in the end is to wait for an answer by hand.
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
    /// The error; the reference has one with the status `error`.
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
