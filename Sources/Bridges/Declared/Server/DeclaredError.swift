package import BridgeCore

/// The error with which native rejects a message: a text, or a value with more members, such as `{code, message}`.
package struct DeclaredError: Sendable, Hashable {
  /// The error as it was given.
  package let value: JSONValue

  /// Creates an error from a text, from an object with a `message`, or from any other value.
  package init(_ value: JSONValue) { self.value = value }

  /// The text for people, and for pages whose wire has only a text.
  package var message: String {
    value.stringValue ?? value["message"]?.stringValue ?? value.jsonText
  }

  /// Rejects a message with this error. The page gets the value only if it is more than a text.
  func reject(_ responder: any BridgeResponder) {
    responder.respond(
      status: .error, data: data,
      error: BridgeErrorPayload(code: "bridge.failed", message: message, recoverable: false))
  }

  /// The data of the response: the value, unless the text is all there is.
  package var data: [String: JSONValue]? { value.stringValue == nil ? ["error": value] : nil }
}
