public import BridgeRuntime

/// A handler that answers from what it and its host know, and starts nothing: the host takes its answer where the request arrives. Ours.
///
/// What is true only while a message is handled, such as what a page's browser says of its camera, it does not find.
@BridgeActor
public protocol AnsweringCapabilityHandler: AnyObject, Sendable {
  /// The action whose requests it answers.
  nonisolated var action: String { get }

  /// The answer to a request that `host` has received.
  func answer(to request: BridgeMessage, of host: BridgeHost) -> BridgeAnswer
}
