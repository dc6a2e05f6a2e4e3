public import BridgeCore
import BridgeRuntime

extension OnsideJS: BridgeHandlerFamily {
  /// Handles the calls of `window.onside`.
  public func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    guard let function = Self.function(calledBy: request) else { return false }
    handle(request, of: function, data: nil, responder)
    return true
  }

  /// The function of `window.onside` that a message calls; nil if it calls none.
  package static func function(calledBy request: BridgeMessage) -> OnsideFunction? {
    request.hasAction(withPrefix: prefix) ? functions[request.action] : nil
  }

  /// Handles a call of a function.
  ///
  /// - Parameter data: The data of the request, if they were read already.
  package func handle(
    _ request: BridgeMessage, of function: OnsideFunction, data: [String: JSONValue]?, _ responder: any BridgeResponder
  ) {
    let responder = OnsideResponder(responder)
    let call = function.call
    if !call.delaysItself, let end = onside.launch.endOfDelay(call) {
      BridgeActor.begin { [self] in
        await onside.launch.wait(until: end)
        run(function, data ?? request.payload.data ?? [:], responder)
      }
    } else {
      run(function, data ?? request.payload.data ?? [:], responder)
    }
  }

  private func run(_ function: OnsideFunction, _ data: [String: JSONValue], _ responder: OnsideResponder) {
    let call = function.call
    if let code = onside.launch.takeBridgeError(of: call) {
      return responder.fail(code, message: "\(call.rawValue) fails because a test has set this error.")
    }
    do throws(OnsideArguments.Failure) {
      try function.body(self, OnsideArguments(data), responder)
    } catch {
      responder.fail("bridge.invalidArguments", message: "\(call.rawValue): \(error.message)")
    }
  }
}

/// One function of `window.onside`.
package struct OnsideFunction {
  /// Runs the function for a page with the arguments of a call. Answers through the responder, now or later.
  typealias Body = @BridgeActor (OnsideJS, OnsideArguments, OnsideResponder) throws(OnsideArguments.Failure) -> Void

  package let call: OnsideCall
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
