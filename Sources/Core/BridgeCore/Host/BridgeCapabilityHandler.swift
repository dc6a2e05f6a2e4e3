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

/// Handles the requests of one action without suspending. The host calls it directly, on the bridge's actor, without starting a task. Not in
/// the reference.
@BridgeActor
public protocol ImmediateBridgeCapabilityHandler: BridgeCapabilityHandler {
  /// Handles a request. It may answer later, but exactly once, through `responder`.
  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder)
}

extension ImmediateBridgeCapabilityHandler {
  /// Handles a request for callers that know only ``BridgeCapabilityHandler``.
  public nonisolated func handle(request: BridgeMessage, responder: any BridgeResponder) async {
    await handleImmediately(request: request, responder: responder)
  }
}

/// Answers the requests of one action at once, by its return value. Not in the reference.
///
/// Task-local values such as ``CameraDetector/camera`` are not bound while it is called.
@BridgeActor
public protocol AnsweringCapabilityHandler: AnyObject, Sendable {
  /// The action.
  nonisolated var action: String { get }

  /// Returns the answer to a request that `host` has received.
  func answer(to request: BridgeMessage, of host: BridgeHost) -> BridgeAnswer
}

/// Handles the requests of many actions, so that a host needs no handler for each. Not in the reference.
@BridgeActor
public protocol BridgeHandlerFamily: AnyObject {
  /// Handles a request if the family has its action, as an ``ImmediateBridgeCapabilityHandler`` does. The host calls this for each request
  /// without a handler of its own, so check the action first.
  ///
  /// - Returns: Whether the family has the action. If false, do not use `responder`.
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

/// Answers `capability.query` with the host's own capabilities. For capabilities that depend on the page, a program registers a
/// ``CapabilityQueryHandler`` instead: only that one can use ``CameraDetector/camera``.
@BridgeActor
final class HostCapabilityHandler: AnsweringCapabilityHandler {
  /// Answers with the host's present slots and custom capabilities.
  nonisolated static let present = HostCapabilityHandler { $0.currentCapabilities }
  /// Answers with ``BridgeHost/capabilities``, and ignores slots and custom capabilities.
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
    BridgeAnswer(status: .success, text: host.cachedCapabilityAnswer(capabilities))
  }
}
