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
  package func respond(_ answer: BridgeAnswer) {
    if let text = answer.text {
      respond(status: answer.status, text: text)
    } else {
      respond(status: answer.status, data: answer.data?.members, error: answer.error)
    }
  }
}

/// Passes on the first answer, on the bridge's actor. Further answers have no effect.
package final class FirstAnswerResponder: BridgeResponder {
  private let take: @Sendable @BridgeActor (consuming BridgeAnswer) -> Void
  private let isSpent = Atomic(false)

  /// Creates a responder that passes its answer to `take`.
  package init(_ take: @escaping @Sendable @BridgeActor (consuming BridgeAnswer) -> Void) {
    self.take = take
  }

  package func respond(status: BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?) {
    respond(BridgeAnswer(status: status, data: data, error: error))
  }

  package func respond(status: BridgeResponseStatus, text: [UInt8]) {
    respond(BridgeAnswer(status: status, text: text))
  }

  private func respond(_ answer: consuming BridgeAnswer) {
    if isSpent.exchange(true, ordering: .relaxed) { return }
    if BridgeExecutor.shared.isOnExecutorThread {
      BridgeActor.assumeIsolated((take, answer)) { $0($1) }
    } else {
      Task { @BridgeActor [take, answer] in take(answer) }
    }
  }
}
