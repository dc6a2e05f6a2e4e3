public import BridgeRuntime

/// The host's end of a channel: the stand-in for `WKScriptMessageHandler`.
@BridgeActor
public protocol ScriptMessageHandler: AnyObject {
  /// The page has posted `message`.
  func userContentController(_ userContentController: UserContentController, didReceive message: ScriptMessage)
}
