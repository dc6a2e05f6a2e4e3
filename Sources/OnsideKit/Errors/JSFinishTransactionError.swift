/// Why a page could not finish a transaction (bridge reference, "JSFinishTransactionError").
public enum JSFinishTransactionError: String, OnsideError, CaseIterable, Codable {
  /// The queue has no such transaction.
  case unknownTransaction
}
