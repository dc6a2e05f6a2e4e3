import BridgeCore
import BridgeRuntime
import Synchronization

/// A responder that delivers its answer as a rule says: not at all, twice, under another id, or replaced by another value.
final class AlteredResponder: BridgeResponder {
  private let responder: any BridgeResponder
  private let delivery: Outcome.Delivery
  private let request: BridgeMessage
  private let page: Page
  private let isSpent = Atomic(false)

  init(_ responder: any BridgeResponder, _ delivery: Outcome.Delivery, _ request: BridgeMessage, _ page: Page) {
    self.responder = responder
    self.delivery = delivery
    self.request = request
    self.page = page
  }

  func respond(status: BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?) {
    if isSpent.exchange(true, ordering: .relaxed) { return }
    if BridgeExecutor.shared.isOnExecutorThread {
      BridgeActor.assumeIsolated((self, status, data, error)) { $0.deliver($1, $2, $3) }
    } else {
      Task { await deliver(status, data, error) }
    }
  }

  @BridgeActor
  private func deliver(_ status: BridgeResponseStatus, _ data: [String: JSONValue]?, _ error: BridgeErrorPayload?) {
    func respond(to id: String) {
      page.host.respond(to: id, action: request.action, status: status, data: data, error: error)
    }
    switch delivery {
    case .dropped, .reordered: break
    case .doubled:
      responder.respond(status: status, data: data, error: error)
      respond(to: request.correlationId)
    case .unknownID: respond(to: "unknown-\(page.session.random.uuid())")
    case .raw(let value): page.host.send(event: FootbridgeAction.raw, data: ["value": value])
    }
  }
}
