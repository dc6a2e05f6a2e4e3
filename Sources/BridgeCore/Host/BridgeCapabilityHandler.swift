/// An object that handles the requests of one action (GBGBridge reference, "BridgeCapabilityHandler").
public protocol BridgeCapabilityHandler: AnyObject, Sendable {
  /// The action, unique in its ``BridgeHost``.
  var action: String { get }

  /// Handles a request and answers it through `responder`, once. Runs in a task that the host starts.
  func handle(request: BridgeMessage, responder: any BridgeResponder) async
}
