/// Why products could not be loaded (bridge reference, "OnsideProductsRequestError").
public enum OnsideProductsRequestError: String, OnsideError, CaseIterable, Codable {
  /// The operation was cancelled.
  case cancelled
  /// The network failed.
  case connectionError
  /// The app is not registered with Onside (HTTP 404).
  case appNotRegistered
  /// The server rejected a product identifier (HTTP 422).
  case invalidProductIdentifier
  /// The server answered with a 5xx status.
  case serviceUnavailable
  /// Anything else.
  case internalError
}
