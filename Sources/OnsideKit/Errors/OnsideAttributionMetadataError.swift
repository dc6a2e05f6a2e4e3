/// Why the attribution could not be had (bridge reference, "OnsideAttributionMetadataError").
public enum OnsideAttributionMetadataError: String, OnsideError, CaseIterable, Codable {
  /// The network failed.
  case connectionError
  /// The app is not registered with Onside (HTTP 404).
  case appNotRegistered
  /// The server answered with a 5xx status.
  case serviceUnavailable
  /// Anything else.
  case internalError
}
