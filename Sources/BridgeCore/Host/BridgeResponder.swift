/// The way back for the answer to one request (GBGBridge reference, "BridgeResponder").
public protocol BridgeResponder: Sendable {
  /// Sends the response. Callable from any thread; the first call counts, later ones have no effect.
  func respond(status: BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?)

  /// Sends a response whose data is written already: `text` is the JSON text of an object. Ours; for answers that are large, or asked for often.
  func respond(status: BridgeResponseStatus, text: [UInt8])
}

extension BridgeResponder {
  /// Reads the text, for responders that know the reference's form only.
  public func respond(status: BridgeResponseStatus, text: [UInt8]) {
    respond(status: status, data: PayloadData.text(text).members, error: nil)
  }

  /// Sends the response that gives `answer`.
  func respond(_ answer: BridgeAnswer) {
    if let text = answer.text {
      respond(status: answer.status, text: text)
    } else {
      respond(status: answer.status, data: answer.data?.members, error: answer.error)
    }
  }
}
