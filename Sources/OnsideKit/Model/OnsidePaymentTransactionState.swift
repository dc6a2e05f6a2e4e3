/// Where a transaction is in its life (bridge reference, "JSPaymentTransactionState").
public enum OnsidePaymentTransactionState: String, Sendable, Codable {
  /// In flight: created, awaiting payment, and so on.
  case purchasing
  /// Completed; to be finished by the app.
  case purchased
  /// Returned by a restore; to be finished by the app.
  case restored
  /// Final, failed; to be finished by the app.
  case failed

  /// Whether the state is one that the app has to finish.
  public var isTerminal: Bool { self != .purchasing }
}
