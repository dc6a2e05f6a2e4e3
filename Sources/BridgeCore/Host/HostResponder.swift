import BridgeRuntime
import Synchronization

/// The responder that a host hands to a handler: the first call counts, on whatever thread it comes.
final class HostResponder: BridgeResponder {
  private let host: BridgeHost
  private let correlationId: String
  private let action: String
  private let isSpent = Atomic(false)

  init(host: BridgeHost, correlationId: String, action: String) {
    self.host = host
    self.correlationId = correlationId
    self.action = action
  }

  func respond(status: BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?) {
    respond(BridgePayload(action: action, data: data, status: status, error: error))
  }

  func respond(status: BridgeResponseStatus, text: [UInt8]) {
    respond(BridgePayload(action: action, storedData: .text(text), status: status, error: nil))
  }

  private func respond(_ payload: BridgePayload) {
    if isSpent.exchange(true, ordering: .relaxed) { return }
    if BridgeExecutor.shared.isOnExecutorThread {
      BridgeActor.assumeIsolated { host.respond(to: correlationId, payload) }
    } else {
      Task { @BridgeActor [host, correlationId] in host.respond(to: correlationId, payload) }
    }
  }
}
