import BridgeCore

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
