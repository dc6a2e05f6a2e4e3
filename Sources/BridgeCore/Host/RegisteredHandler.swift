/// A handler and how it is called: found out when it is registered, because asking takes longer than most handlers.
enum RegisteredHandler {
  /// It is asked for its answer where the request arrives.
  case answering(any AnsweringCapabilityHandler)
  /// It is called where the request arrives.
  case immediate(any ImmediateBridgeCapabilityHandler)
  /// It is called in a task.
  case suspending(any BridgeCapabilityHandler)

  init(_ handler: any BridgeCapabilityHandler) {
    if let handler = handler as? any ImmediateBridgeCapabilityHandler {
      self = .immediate(handler)
    } else {
      self = .suspending(handler)
    }
  }
}
