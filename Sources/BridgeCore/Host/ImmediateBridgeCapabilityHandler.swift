public import BridgeRuntime

/// A handler that answers, or starts what will answer, without suspending: the host calls it where the request arrives, with no task.
@BridgeActor
public protocol ImmediateBridgeCapabilityHandler: BridgeCapabilityHandler {
  /// Handles a request on the bridge's actor.
  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder)
}

extension ImmediateBridgeCapabilityHandler {
  /// The contract's form, for callers that know only ``BridgeCapabilityHandler``.
  public nonisolated func handle(request: BridgeMessage, responder: any BridgeResponder) async {
    await handleImmediately(request: request, responder: responder)
  }
}
