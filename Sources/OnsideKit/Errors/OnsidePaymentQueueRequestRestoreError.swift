/// Why a restore could not start (bridge reference, "OnsidePaymentQueueRequestRestoreError").
public enum OnsidePaymentQueueRequestRestoreError: String, OnsideError, CaseIterable, Codable {
  /// The person dismissed the login.
  case loginDiscarded
}
