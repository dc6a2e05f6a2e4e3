/// The handler of a custom capability: a closure.
final class CustomCapabilityHandler: BridgeCapabilityHandler {
  let action: String
  private let body: @Sendable (BridgeMessage, any BridgeResponder) async -> Void

  init(action: String, body: @escaping @Sendable (BridgeMessage, any BridgeResponder) async -> Void) {
    self.action = action
    self.body = body
  }

  func handle(request: BridgeMessage, responder: any BridgeResponder) async {
    await body(request, responder)
  }
}
