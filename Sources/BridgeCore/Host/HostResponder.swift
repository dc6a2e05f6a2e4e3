import BridgeRuntime
import Synchronization

/// The responder that a host hands to a handler: the first call counts, on whatever thread it comes.
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
