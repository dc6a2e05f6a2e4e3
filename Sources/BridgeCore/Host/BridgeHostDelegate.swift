public import BridgeRuntime

/// Watches the messages of a ``BridgeHost`` (GBGBridge reference, "BridgeHostDelegate").
@BridgeActor
public protocol BridgeHostDelegate: AnyObject {
  /// A message of any type arrived from the page.
  func bridgeHost(_ host: BridgeHost, didReceive message: BridgeMessage)

  /// A request arrived that has no handler; it is in ``BridgeHost/pendingRequests``.
  func bridgeHost(_ host: BridgeHost, unhandledRequest message: BridgeMessage)
}

extension BridgeHostDelegate {
  /// Does nothing.
  public func bridgeHost(_ host: BridgeHost, didReceive message: BridgeMessage) {}

  /// Does nothing.
  public func bridgeHost(_ host: BridgeHost, unhandledRequest message: BridgeMessage) {}
}
