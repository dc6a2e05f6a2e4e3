public import BridgeRuntime

/// A handler that answers from what it knows, and starts nothing: the host takes its answer where the request arrives. Ours.
///
/// What is true only while a message is handled, such as what a page's browser says of its camera, it does not find.
@BridgeActor
public protocol AnsweringCapabilityHandler: ImmediateBridgeCapabilityHandler {
  /// The answer to a request.
  func answer(to request: BridgeMessage) -> BridgeAnswer
}

extension AnsweringCapabilityHandler {
  /// The immediate form, for callers that know only that.
  public func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) {
    let answer = answer(to: request)
    if let text = answer.text {
      responder.respond(status: answer.status, text: text)
    } else {
      responder.respond(status: answer.status, data: answer.data?.members, error: answer.error)
    }
  }
}
