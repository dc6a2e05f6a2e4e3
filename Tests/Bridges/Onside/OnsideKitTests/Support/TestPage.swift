import BridgeCore
import BridgeRuntime

@testable import OnsideKit

/// A page of a session: calls functions of `window.onside` as the shim does and keeps what comes back.
@BridgeActor
final class TestPage {
  private final class Screen: WebView {
    var receive: (BridgeMessage) -> Void = { _ in }

    override func deliver(_ message: BridgeMessage, sequenced: Bool) { receive(message) }
  }

  struct Rejection: Error, Equatable {
    let code: String
  }

  let host: BridgeHost
  let js: OnsideJS
  private let screen = Screen()
  private let changes: Changes
  private var responses: [String: BridgeMessage] = [:]
  private var calls = 0
  /// Every message of the page, in the order of arrival.
  private(set) var log: [BridgeMessage] = []
  /// How the page answers questions of the host; nil leaves them open.
  var answers: [String: JSONValue] = ["onside.shouldContinueTransaction": true]

  init(_ onside: Onside, clock: any BridgeClock, changes: Changes) {
    self.changes = changes
    host = BridgeHost(hostVersion: "1.0", clock: clock, random: BridgeRandom(seed: 7))
    js = OnsideJS(onside)
    host.attach(webView: screen)
    screen.receive = { [weak self] in self?.receive($0) }
    js.configure(host: host)
  }

  /// The page goes, as on a reload.
  func close() {
    js.detach()
    host.detach()
  }

  private func receive(_ message: BridgeMessage) {
    log.append(message)
    switch message.type {
    case .response: responses[message.correlationId] = message
    case .request:
      if let answer = answers[message.payload.action] { respond(to: message, answer) }
    case .event: break
    }
    changes.note()
  }

  /// Answers a question of the host.
  func respond(to question: BridgeMessage, _ result: JSONValue) {
    host.receive(
      BridgeMessage(
        version: "1.0", correlationId: question.correlationId, type: .response, timestamp: 0,
        payload: BridgePayload(
          action: question.payload.action, data: ["result": result], status: .success, error: nil)))
  }

  /// Starts a call and returns its correlation id.
  @discardableResult
  func start(_ function: String, _ arguments: [String: JSONValue] = [:]) -> String {
    calls += 1
    let id = "call-\(calls)"
    host.receive(
      BridgeMessage(
        version: "1.0", correlationId: id, type: .request, timestamp: 0,
        payload: BridgePayload(action: "onside.\(function)", data: arguments, status: nil, error: nil)))
    return id
  }

  /// Whether the call has been answered.
  func isAnswered(_ id: String) -> Bool { responses[id] != nil }

  /// Waits for the answer of a call.
  func result(of id: String) async throws -> [String: JSONValue]? {
    await changes.until { responses[id] != nil }
    guard let response = responses[id] else { return nil }
    if response.payload.status == .success { return response.payload.data }
    throw Rejection(code: response.payload.error?.code ?? "none")
  }

  /// Calls a function and waits for its answer.
  @discardableResult
  func call(_ function: String, _ arguments: [String: JSONValue] = [:]) async throws -> [String: JSONValue]? {
    try await result(of: start(function, arguments))
  }

  /// The data of every callback of this name so far.
  func callbacks(_ name: String) -> [[String: JSONValue]] {
    log.filter { $0.type == .event && $0.payload.action == "onside.\(name)" }.map { $0.payload.data ?? [:] }
  }

  /// The states of every `onTransactionsUpdated` so far, each transaction for itself.
  var states: [String] {
    callbacks("onTransactionsUpdated").flatMap { $0["transactions"]?.arrayValue ?? [] }
      .compactMap { $0["transactionState"]?.stringValue }
  }

  /// Waits until so many states have come.
  func states(_ count: Int) async -> [String] {
    await changes.until { states.count >= count }
    return states
  }

  /// Waits until a callback has come so many times.
  @discardableResult
  func callback(_ name: String, count: Int = 1) async -> [String: JSONValue] {
    await changes.until { callbacks(name).count >= count }
    return callbacks(name)[count - 1]
  }

  /// Waits for a question of the host.
  func question(_ name: String, count: Int = 1) async -> BridgeMessage {
    let questions = { self.log.filter { $0.type == .request && $0.payload.action == "onside.\(name)" } }
    await changes.until { questions().count >= count }
    return questions()[count - 1]
  }

  /// The transactions of the queue, as the page sees them.
  func transactions() async throws -> [JSONValue] {
    try await call("getTransactions")?["transactions"]?.arrayValue ?? []
  }
}
