public import BridgeCore
import BridgeRuntime

extension OnsideJS: BridgeHandlerFamily {
  /// Handles the calls of `window.onside`.
  public func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    guard request.hasAction(withPrefix: Self.prefix), let function = Self.functions[request.action] else {
      return false
    }
    let responder = OnsideResponder(responder)
    let call = function.call
    if call.delaysItself || onside.launch.state.settings[call].delayMilliseconds == 0 {
      run(function, request, responder)
    } else {
      Task {
        await onside.launch.delay(call)
        run(function, request, responder)
      }
    }
    return true
  }

  private func run(_ function: OnsideFunction, _ request: BridgeMessage, _ responder: OnsideResponder) {
    let call = function.call
    if let code = onside.launch.takeBridgeError(of: call) {
      return responder.fail(code, message: "\(call.rawValue) fails because a test has set this error.")
    }
    do throws(OnsideArguments.Failure) {
      try function.body(self, OnsideArguments(request.payload.data ?? [:]), responder)
    } catch {
      responder.fail("bridge.invalidArguments", message: "\(call.rawValue): \(error.message)")
    }
  }
}

/// One function of `window.onside`.
struct OnsideFunction {
  /// Runs the function for a page with the arguments of a call. Answers through the responder, now or later.
  typealias Body = @BridgeActor (OnsideJS, OnsideArguments, OnsideResponder) throws(OnsideArguments.Failure) -> Void

  let call: OnsideCall
  let body: Body
}
