public import BridgeRuntime

/// Stands between the requests of a page and whoever handles them. Ours: the reference has nothing like it.
@BridgeActor
public protocol BridgeRequestInterceptor: AnyObject {
  /// A request has arrived. Either this answers it through `responder`, or it calls `handle`, now or later and once, with the responder that
  /// whoever handles the request is to answer through.
  func intercept(
    _ request: BridgeMessage,
    responder: any BridgeResponder,
    handle: @escaping @BridgeActor (any BridgeResponder) -> Void
  )
}
