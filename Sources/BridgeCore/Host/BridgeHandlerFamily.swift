public import BridgeRuntime

/// Handles the requests of many actions for one page, so that a host need not hold a handler for each of them. Ours.
@BridgeActor
public protocol BridgeHandlerFamily: AnyObject {
  /// Handles a request, as an ``ImmediateBridgeCapabilityHandler`` does, if its action is one of the family's. It is asked for each request
  /// that has no handler of its own, so it looks at the action first.
  ///
  /// - Returns: whether the action is one of the family's.
  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool
}
