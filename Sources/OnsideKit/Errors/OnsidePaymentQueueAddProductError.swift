/// Why a payment did not enter the queue (purchasing guide).
public enum OnsidePaymentQueueAddProductError: String, OnsideError, CaseIterable, Codable {
  /// The person dismissed the login.
  case loginDiscarded
  /// The page refused to go on after the login (contract 1.3).
  case rejectedAfterLogin
}
