import BridgeCore
import BridgeRuntime
import Testing

@testable import Today

/// A page behind a `BridgeHost`, as the shim would drive it.
@BridgeActor
final class TestPage: WebView {
  /// How a promise settled.
  enum Answer: Equatable {
    case undefined
    case value(JSONValue)
    case rejected(String)
    case malformed
  }

  let bridge: TodayBridge
  private let host: BridgeHost
  private var messages: [BridgeMessage] = []
  private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var posted = 0

  init(_ today: TodayHost, _ document: TodayDocument) {
    bridge = TodayBridge(today, document: document)
    host = BridgeHost(hostVersion: "1")
    super.init()
    host.attach(webView: self)
    bridge.configure(host: host)
  }

  override func deliver(_ message: BridgeMessage, sequenced: Bool) {
    messages.append(message)
    for waiter in waiters where messages.count >= waiter.count { waiter.continuation.resume() }
    waiters.removeAll { messages.count >= $0.count }
  }

  /// What `postMessage` does; nil stands for `undefined`. `again` says whether the page has posted an earlier message in this turn.
  func post(_ message: JSONValue?, again: Bool = false) {
    posted += 1
    var data: [String: JSONValue] = [:]
    data["value"] = message
    if again { data["again"] = true }
    let envelope: JSONValue = [
      "version": "1.0", "correlationId": .string("\(posted)"), "type": "request", "timestamp": 1,
      "payload": ["action": "today.message", "data": .object(data)],
    ]
    host.receive(envelope.jsonText.utf8)
  }

  /// Waits for so many answers in all and gives the last of them.
  func answer(_ count: Int = 1) async throws -> Answer {
    if messages.count < count { await withCheckedContinuation { waiters.append((count, $0)) } }
    return try #require(answers.last)
  }

  /// The answers in the order of the calls.
  var answers: [Answer] {
    messages.sorted { (Int($0.correlationId) ?? 0) < (Int($1.correlationId) ?? 0) }.map(Self.answer)
  }

  /// Everything that went to the page, as text.
  var transcript: String {
    messages.map { message in
      var writer = JSONWriter()
      message.write(to: &writer)
      return String(decoding: writer.bytes, as: UTF8.self)
    }.joined(separator: "\n")
  }

  private static func answer(_ message: BridgeMessage) -> Answer {
    let payload = message.payload
    switch (payload.action, payload.status) {
    case (TodayBridge.action, .success?):
      guard let data = payload.data else { return .malformed }
      return data["value"].map { .value($0) } ?? .undefined
    case (TodayBridge.action, .error?):
      guard payload.error?.code == "today.rejected", let message = payload.error?.message else { return .malformed }
      return .rejected(message)
    default: return .malformed
    }
  }
}
