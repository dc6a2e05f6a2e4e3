public import BridgeCore
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

/// A call as rules see it: its names, and the data that `where` is compared with.
public struct RuledCall {
  /// The names that a rule can use for the call, such as `today.headers` and `today.message`.
  let names: [String]
  /// The data of the call: of a request, of the message to Today, or of a sheet. Read only if a rule needs it.
  let data: () -> JSONValue

  /// A call with several names.
  public init(names: [String], data: @escaping () -> JSONValue) {
    self.names = names
    self.data = data
  }

  /// A call with one name.
  public init(_ name: String, data: @autoclosure @escaping () -> JSONValue) {
    self.init(names: [name], data: data)
  }

  /// A page's request, by its action and its data.
  public init(_ request: BridgePayload) {
    self.init(request.action, data: .object(request.data ?? [:]))
  }
}
