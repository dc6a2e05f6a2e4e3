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
    respond(BridgePayload(action: request.action, data: data, status: status, error: error))
  }

  func respond(status: BridgeResponseStatus, text: [UInt8]) {
    respond(BridgePayload(action: request.action, storedData: .text(text), status: status, error: nil))
  }

  private func respond(_ payload: consuming BridgePayload) {
    if isSpent.exchange(true, ordering: .relaxed) { return }
    if BridgeExecutor.shared.isOnExecutorThread {
      BridgeActor.assumeIsolated((self, payload)) { $0.host.respond(to: $0.request.correlationId, $1) }
    } else {
      Task { @BridgeActor [payload] in host.respond(to: request.correlationId, payload) }
    }
  }
}
