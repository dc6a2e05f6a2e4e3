/// Why a transaction failed (bridge reference, "OnsidePaymentTransactionError").
public enum OnsidePaymentTransactionError: String, OnsideError, CaseIterable, Codable {
  /// The operation was cancelled.
  case cancelled
  /// The native screen could not be shown (contract 1.3).
  case presentationFailed
}
