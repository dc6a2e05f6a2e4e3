/// What was set on purpose for one ``OnsideCall``.
public struct OnsideCallBehaviour: Sendable, Hashable, Codable {
  /// How long the call takes, in milliseconds; not negative, at most an hour.
  public var delayMilliseconds: Int
  /// The case of the error that it fails with, such as `connectionError`; one of ``OnsideCall/errorCases``.
  public var error: String?
  /// Whether the error comes once, or each time until it is cleared.
  public var once: Bool

  /// Creates a behaviour; without arguments the usual one.
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
