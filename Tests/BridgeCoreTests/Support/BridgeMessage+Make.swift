import BridgeCore

extension BridgeMessage {
  static func make(
    _ type: BridgeMessageType = .request,
    correlationId: String = "c",
    action: String = "test",
    data: [String: JSONValue]? = nil
  ) -> BridgeMessage {
    BridgeMessage(
      version: "1.0",
      correlationId: correlationId,
      type: type,
      timestamp: 1,
      payload: BridgePayload(action: action, data: data, status: nil, error: nil)
    )
  }
}
