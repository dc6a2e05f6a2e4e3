/// A handler and how it is called: found out when it is registered, because asking takes longer than most handlers.
enum RegisteredHandler {
  /// It is called where the request arrives.
  case immediate(any ImmediateBridgeCapabilityHandler)
  /// It is called in a task.
  case suspending(any BridgeCapabilityHandler)

  init(_ handler: any BridgeCapabilityHandler) {
    self = (handler as? any ImmediateBridgeCapabilityHandler).map { .immediate($0) } ?? .suspending(handler)
  }
}
