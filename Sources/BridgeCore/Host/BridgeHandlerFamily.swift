public import BridgeRuntime

/// Handles the requests of many actions for one page, so that a host need not hold a handler for each of them. Ours.
@BridgeActor
public protocol BridgeHandlerFamily: AnyObject {
  /// Handles a request, as an ``ImmediateBridgeCapabilityHandler`` does, if its action is one of the family's; says whether it is.
  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool
}
