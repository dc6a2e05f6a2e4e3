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
    if isSpent.exchange(true, ordering: .relaxed) { return }
    if BridgeExecutor.shared.isOnExecutorThread {
      BridgeActor.assumeIsolated {
        host.respond(to: correlationId, action: action, status: status, data: data, error: error)
      }
    } else {
      Task { @BridgeActor [host, correlationId, action] in
        host.respond(to: correlationId, action: action, status: status, data: data, error: error)
      }
    }
  }
}
