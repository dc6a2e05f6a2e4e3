import BridgeRuntime
import Synchronization

/// Sends the response to one request (GBGBridge reference, "BridgeResponder").
public protocol BridgeResponder: Sendable {
  /// Sends the response. Can be called from any thread. Only the first call has an effect.
  func respond(status: BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?)

  /// Sends a response whose data is already JSON text: one valid object in UTF-8. Use it for large or frequent answers. Not in the reference.
  func respond(status: BridgeResponseStatus, text: [UInt8])
}

extension BridgeResponder {
  /// Parses the text and calls the reference's method, for responders that implement only that one.
  public func respond(status: BridgeResponseStatus, text: [UInt8]) {
    respond(status: status, data: PayloadData.text(text).members, error: nil)
  }

  /// Sends `answer` as the response.
  func respond(_ answer: BridgeAnswer) {
    if let text = answer.text {
      respond(status: answer.status, text: text)
    } else {
      respond(status: answer.status, data: answer.data?.members, error: answer.error)
    }
  }
}

/// The responder that a host gives to a handler. Only the first call counts, from any thread.
final class HostResponder: BridgeResponder {
  private let host: BridgeHost
  private let request: BridgeMessage
  private let isSpent = Atomic(false)

  init(host: BridgeHost, request: BridgeMessage) {
    self.host = host
    self.request = request
  }

  func respond(status: BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?) {
    respond(BridgeAnswer(status: status, data: data, error: error))
  }

  func respond(status: BridgeResponseStatus, text: [UInt8]) {
    respond(BridgeAnswer(status: status, text: text))
  }

  private func respond(_ answer: consuming BridgeAnswer) {
    if isSpent.exchange(true, ordering: .relaxed) { return }
    if BridgeExecutor.shared.isOnExecutorThread {
      BridgeActor.assumeIsolated((self, answer)) { $0.host.answer($0.request, $1) }
    } else {
      Task { @BridgeActor [answer] in host.answer(request, answer) }
    }
  }
}
