/// A delay and an error that a test has set for one ``OnsideCall``.
public struct OnsideCallBehaviour: Sendable, Hashable, Codable {
  /// The delay of the call in milliseconds, from 0 to one hour.
  public var delayMilliseconds: Int
  /// The error that it fails with, such as `connectionError`; one of ``OnsideCall/errorCases``.
  public var error: String?
  /// Whether the error occurs once. Otherwise it occurs each time until it is cleared.
  public var once: Bool

  /// Creates a behaviour. Without arguments, it is the usual one.
  public init(delayMilliseconds: Int = 0, error: String? = nil, once: Bool = false) {
    self.delayMilliseconds = min(max(delayMilliseconds, 0), 3_600_000)
    self.error = error
    self.once = once
  }

  /// Whether the call behaves as usual.
  public var isUsual: Bool { delayMilliseconds == 0 && error == nil }

  /// ``delayMilliseconds`` as a duration.
  var delay: Duration { .milliseconds(delayMilliseconds) }
}

/// The outcome that rules have decided for a flow that continues after its call was answered: a payment or a restore.
public struct OnsideOutcome: Sendable {
  /// The error that it fails with, one of ``OnsideCall/errorCases``; nil lets it continue.
  public let error: String?
  /// Waits before the flow continues or fails.
  public let hold: @Sendable () async -> Void

  /// Creates an outcome.
  public init(error: String? = nil, hold: @escaping @Sendable () async -> Void = {}) {
    self.error = error
    self.hold = hold
  }
}
