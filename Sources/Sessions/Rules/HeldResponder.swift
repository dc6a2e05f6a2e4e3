import BridgeCore
import BridgeRuntime
import Synchronization

/// A responder that holds its answer for the time that an outcome says.
final class HeldResponder: BridgeResponder {
  private let responder: any BridgeResponder
  private let decided: DecidedOutcome
  private let rules: SessionRules
  private let isSpent = Atomic(false)

  init(_ responder: any BridgeResponder, _ decided: DecidedOutcome, _ rules: SessionRules) {
    self.responder = responder
    self.decided = decided
    self.rules = rules
  }

  func respond(status: BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?) {
    // The first answer counts, not the first one to get through.
    if isSpent.exchange(true, ordering: .relaxed) { return }
    if BridgeExecutor.shared.isOnExecutorThread {
      BridgeActor.assumeIsolated((self, status, data, error)) { $0.hold($1, $2, $3) }
    } else {
      Task { await hold(status, data, error) }
    }
  }

  @BridgeActor
  private func hold(_ status: BridgeResponseStatus, _ data: [String: JSONValue]?, _ error: BridgeErrorPayload?) {
    rules.afterHold(decided) { [responder] in
      responder.respond(status: status, data: data, error: error)
    }
  }
}
