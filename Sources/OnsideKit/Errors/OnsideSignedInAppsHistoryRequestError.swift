/// Why the signed history could not be had (bridge reference, "OnsideSignedInAppsHistoryRequestError").
public enum OnsideSignedInAppsHistoryRequestError: String, OnsideError, CaseIterable, Codable {
  /// Nobody is signed in.
  case notLoggedIn
  /// Not available with a local-testing storefront.
  case notSupportedInLocalTesting
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
