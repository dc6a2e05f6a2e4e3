/// What was decided on purpose about a flow that goes on after its call was answered: sending a payment, or restoring.
public struct OnsideOutcome: Sendable {
  /// The case of the error that it fails with, one of ``OnsideCall/errorCases``; nil lets it go on.
  public let error: String?
  /// Suspends for as long as the flow is to wait before it goes on or fails.
  public let hold: @Sendable () async -> Void

  /// Creates an outcome.
  public init(error: String? = nil, hold: @escaping @Sendable () async -> Void = {}) {
    self.error = error
    self.hold = hold
  }
}
