public import BridgeRuntime

/// Observes the messages of a ``BridgeHost`` (GBGBridge reference, "BridgeHostDelegate").
///
/// ```swift
/// final class Observer: BridgeHostDelegate {
///   func bridgeHost(_ host: BridgeHost, unhandledRequest message: BridgeMessage) {
///     host.respond(to: message.correlationId, status: .unsupported)
///   }
/// }
/// ```
@BridgeActor
public protocol BridgeHostDelegate: AnyObject {
  /// Called for each message of the page, of any type.
  func bridgeHost(_ host: BridgeHost, didReceive message: BridgeMessage)

  /// Called for a request without a handler. The request is in ``BridgeHost/pendingRequests``.
  func bridgeHost(_ host: BridgeHost, unhandledRequest message: BridgeMessage)
}

/// A delegate leaves out the events that it does not need.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension BridgeHostDelegate {
  public func bridgeHost(_ host: BridgeHost, didReceive message: BridgeMessage) {}

  public func bridgeHost(_ host: BridgeHost, unhandledRequest message: BridgeMessage) {}
}
