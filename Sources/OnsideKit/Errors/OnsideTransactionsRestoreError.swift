/// Why a restore failed (bridge reference, "OnsideTransactionsRestoreError").
public enum OnsideTransactionsRestoreError: String, OnsideError, CaseIterable, Codable {
  /// The operation was cancelled.
  case cancelled
  /// The network failed.
  case connectionError
  /// The app is not registered with Onside (HTTP 404).
  case appNotRegistered
  /// The server answered with a 5xx status.
  case serviceUnavailable
  /// Anything else.
  case internalError
}
