/// Why a page's purchase did not enter the queue (bridge reference, "JSPurchaseError").
public enum JSPurchaseError: String, OnsideError, CaseIterable, Codable {
  /// The product is not among those that were loaded.
  case unknownProduct
  /// The person dismissed the login.
  case loginDiscarded
  /// The page refused to go on after the login (contract 1.3).
  case rejectedAfterLogin
}
