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

/// A capability without a typed slot, as registered with ``BridgeHost/registerCustomCapability(_:version:handler:)`` or declared.
struct CustomCapability {
  /// What `capability.query` answers of it; nil leaves it out.
  let info: BridgeCapabilityInfo?
  /// Handles its requests; nil leaves them to be answered by hand.
  let handler: RegisteredHandler?
}

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
