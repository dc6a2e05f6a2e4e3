import BridgeRuntime

/// What one function of `window.onside` does for a page.
struct OnsideFunction {
  /// Does it with the arguments of a call, and answers through the responder, now or later.
  typealias Body = @BridgeActor (OnsideJS, OnsideArguments, OnsideResponder) throws(OnsideArguments.Failure) -> Void

  let call: OnsideCall
  let body: Body
}
