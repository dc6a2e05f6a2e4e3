/// The type of a bridge message (GBGBridge reference, "BridgeMessageType").
public enum BridgeMessageType: String, Codable, Sendable {
  /// A request, which expects a response.
  case request
  /// The response to the request with the same correlation id.
  case response
  /// A notification, in either direction; nothing answers it.
  case event
}
