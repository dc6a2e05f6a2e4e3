public import BridgeCore
import BridgeRuntime
import Synchronization

/// A responder that holds its answer back as an outcome says.
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
    // The first answer counts, even if a later one has a shorter wait.
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

/// A call as rules see it: its names, and the data for the pattern `where`.
public struct RuledCall {
  /// The names by which rules can refer to the call, such as `today.headers` and `today.message`.
  let names: [String]
  /// Returns the data of the request, of the message to Today, or of the sheet. Called only if a rule needs it.
  let data: () -> JSONValue

  /// Creates a call with several names.
  public init(names: [String], data: @escaping () -> JSONValue) {
    self.names = names
    self.data = data
  }

  /// Creates a call with one name.
  public init(_ name: String, data: @autoclosure @escaping () -> JSONValue) {
    self.init(names: [name], data: data)
  }

  /// Creates a call from a page's request.
  public init(_ request: BridgePayload) {
    self.init(request.action, data: .object(request.data ?? [:]))
  }
}
