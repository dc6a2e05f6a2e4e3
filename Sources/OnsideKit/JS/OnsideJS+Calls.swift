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
    if !call.delaysItself, let end = onside.launch.endOfDelay(call) {
      Task {
        await onside.launch.wait(until: end)
        run(function, request, responder)
      }
    } else {
      run(function, request, responder)
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

/// Answers one call of `window.onside`.
struct OnsideResponder: Sendable {
  private let responder: any BridgeResponder

  init(_ responder: any BridgeResponder) {
    self.responder = responder
  }

  /// Resolves the promise with `data`, or with `undefined`.
  func succeed(_ data: [String: JSONValue]? = nil) {
    responder.respond(status: .success, data: data, error: nil)
  }

  /// Resolves the promise with the object whose JSON text is `text`.
  func succeed(text: [UInt8]) {
    responder.respond(status: .success, text: text)
  }

  /// Rejects the promise with `{ <case>: {} }`.
  func fail(_ error: some OnsideError) {
    fail(error.rawValue, message: "\(type(of: error)).\(error.rawValue)")
  }

  /// Rejects the promise with a code of the wire.
  func fail(_ code: String, message: String) {
    responder.respond(
      status: .error, data: nil, error: BridgeErrorPayload(code: code, message: message, recoverable: false))
  }
}
