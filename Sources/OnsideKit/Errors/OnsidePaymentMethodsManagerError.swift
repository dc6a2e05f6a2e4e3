/// Why the payment methods could not be shown (bridge reference, "OnsidePaymentMethodsManagerError").
public enum OnsidePaymentMethodsManagerError: String, OnsideError, CaseIterable, Codable {
  /// The person dismissed the login.
  case loginDiscarded
  /// Not available with a local-testing storefront.
  case notSupportedInLocalTesting
  /// The native screen could not be shown (contract 1.3).
  case presentationFailed
}
