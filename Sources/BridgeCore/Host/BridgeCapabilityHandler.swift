public import BridgeRuntime

/// Handles the requests of one action (GBGBridge reference, "BridgeCapabilityHandler").
///
/// ```swift
/// final class PinHandler: BridgeCapabilityHandler {
///   let action = "pin.enter"
///
///   func handle(request: BridgeMessage, responder: any BridgeResponder) async {
///     responder.respond(status: .success, data: ["length": 4], error: nil)
///   }
/// }
/// ```
public protocol BridgeCapabilityHandler: AnyObject, Sendable {
  /// The action, unique in its ``BridgeHost``.
  var action: String { get }

  /// Handles a request, and answers it exactly once through `responder`. The host calls this in a task.
  func handle(request: BridgeMessage, responder: any BridgeResponder) async
}

/// Handles requests without suspending. The host calls it where the request arrives, without a task. Not in the reference.
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

/// Answers the requests of one action at once, and starts nothing. Not in the reference.
///
/// It cannot use task-local values that are bound only while a message is handled, such as ``CameraDetector/camera``.
@BridgeActor
public protocol AnsweringCapabilityHandler: AnyObject, Sendable {
  /// The action.
  nonisolated var action: String { get }

  /// The answer to a request that `host` has received.
  func answer(to request: BridgeMessage, of host: BridgeHost) -> BridgeAnswer
}

/// Handles the requests of many actions, so that a host needs no handler for each. Not in the reference.
@BridgeActor
public protocol BridgeHandlerFamily: AnyObject {
  /// Handles a request if its action is one of the family's, as an ``ImmediateBridgeCapabilityHandler`` does. Called for each request that has
  /// no handler of its own, so look at the action first.
  ///
  /// - Returns: whether the action is one of the family's.
  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool
}

/// Intercepts the requests of a page before their handlers. Not in the reference.
@BridgeActor
public protocol BridgeRequestInterceptor: AnyObject {
  /// Called when a request has arrived. Either answers it through `responder`, or calls `handle` exactly once, now or later, with a responder
  /// for the handler.
  func intercept(
    _ request: BridgeMessage,
    responder: any BridgeResponder,
    handle: @escaping @BridgeActor (any BridgeResponder) -> Void
  )
}

/// Answers `capability.query` with the host's own capabilities. If a program describes capabilities that depend on the page, use
/// ``CapabilityQueryHandler`` instead: the browser's camera, for example, is known only while a message is handled.
@BridgeActor
final class HostCapabilityHandler: AnsweringCapabilityHandler {
  /// Answers with the slots and the capabilities that are registered at present.
  nonisolated static let present = HostCapabilityHandler { $0.currentCapabilities }
  /// Answers with the declared configuration, whatever is registered.
  nonisolated static let declared = HostCapabilityHandler {
    $0.capabilities.mapValues(BridgeCapabilityInfo.init(supported:))
  }

  nonisolated let action = "capability.query"

  private let capabilities: @Sendable @BridgeActor (BridgeHost) -> [String: BridgeCapabilityInfo]

  private nonisolated init(
    _ capabilities: @escaping @Sendable @BridgeActor (BridgeHost) -> [String: BridgeCapabilityInfo]
  ) {
    self.capabilities = capabilities
  }

  func answer(to request: BridgeMessage, of host: BridgeHost) -> BridgeAnswer {
    BridgeAnswer(status: .success, text: host.keptCapabilityAnswer(capabilities))
  }
}
