/// The status of a response message (GBGBridge reference, "BridgeResponseStatus").
public enum BridgeResponseStatus: String, Codable, Sendable, CaseIterable {
  /// The operation completed successfully.
  case success
  /// The operation failed; a ``BridgeErrorPayload`` says why.
  case error
  /// The user cancelled the operation.
  case cancelled
  /// The requested capability is not available.
  case unsupported
  /// The request was received; the result will follow.
  case acknowledged
}
