/// The way back for the answer to one request (GBGBridge reference, "BridgeResponder").
public protocol BridgeResponder: Sendable {
  /// Sends the response. Callable from any thread; the first call counts, later ones have no effect.
  func respond(status: BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?)
}
