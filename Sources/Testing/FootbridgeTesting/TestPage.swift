public import BridgeCore
public import BridgeRuntime
import Footbridge
import WebServer

/// A page without a browser: one document in one tab. It talks to its host as the shim does.
///
///     let page = try await server.openPage()
///     let products = try await page.call("onside.loadProducts", ["productIdentifiers": ["coins"]])
///     let update = try await page.event("onside.onTransactionsUpdated")
///
/// After a lost connection, the page comes back when the test calls ``connect()``. It then sends unanswered requests again.
@BridgeActor
public final class TestPage {
  /// An event that the host has sent to the page.
  public struct Event: Sendable, Hashable {
    /// The action, such as `onside.onTransactionsUpdated`.
    public let action: String
    /// Its data.
    public let data: [String: JSONValue]
  }

  /// An answer of the host.
  public struct Answer: Sendable, Hashable {
    /// The status.
    public let status: BridgeResponseStatus
    /// The data of the answer.
    public let data: [String: JSONValue]
    /// The error, if the status is `error`.
    public let error: BridgeErrorPayload?
    fileprivate let correlationId: String
  }

  /// The events of the bridges so far, oldest first.
  public private(set) var events: [Event] = []
  /// The messages from GBGBridge so far, oldest first: answers to posted messages, and events.
  public private(set) var messages: [JSONValue] = []
  /// Answers questions of the host, such as `onside.shouldContinueTransaction`. By default, it agrees to everything.
  public var onRequest: (Event) -> [String: JSONValue] = { _ in ["result": true] }
  /// The reason why the server has closed the page's connection; nil if it has not.
  public private(set) var closeReason: String?

  private let session: TestSession
  private let shimID = BridgeRandom().token()
  private let target: String?
  private let origin = "http://127.0.0.1"
  private var webSocket: InProcessWebSocket?
  private var requestCount = 0
  private var connectionCount = 0
  /// The highest sequence number of the host's messages so far.
  private var received = 0
  /// Requests without an answer, in order.
  private var unanswered: [(correlationId: String, text: String)] = []
  private let answers = Mailbox<Answer>()
  private let newEvents = Mailbox<Event>()
  private let newMessages = Mailbox<JSONValue>()

  init(in session: TestSession, target: String?) {
    self.session = session
    self.target = target
  }

  // MARK: Connection

  /// Whether the page has a connection.
  public var isConnected: Bool { webSocket != nil }

  /// Connects the page again after ``disconnect()``. Returns after the host has answered the page's hello. Unanswered requests are sent
  /// again.
  ///
  /// - Throws: ``ExpectationError`` if the server has stopped.
  public func connect() async throws(ExpectationError) {
    if isConnected { return }
    connectionCount += 1
    let webSocket: InProcessWebSocket
    do {
      webSocket = try session.inner.openPage(shimID: shimID, address: target.map { (origin, $0) })
    } catch {
      throw ExpectationError("The page cannot connect: \(error)")
    }
    self.webSocket = webSocket
    closeReason = nil
    webSocket.onMessage = { [weak self] in self?.received($0) }
    webSocket.onClose = { [weak self] _, reason in
      self?.webSocket = nil
      self?.closeReason = reason
    }
    let hello = "footbridge-shim-\(connectionCount)"
    send(
      text(
        hello, type: "request", action: InProcessSession.hello,
        data: [
          "url": .string(origin + (target ?? "/")), "referrer": "", "received": .number(Double(received)),
          "topFrame": true, "ancestors": [],
        ]))
    for (_, text) in unanswered { send(text) }
    let answer = await answers.take(within: .usualPatience) { $0.correlationId == hello }
    guard let answer else { throw ExpectationError("The host has not answered the page's hello.") }
    // A server that does not know the page numbers its messages from 1 again.
    if answer.data["resumed"] != true { received = 0 }
  }

  /// Breaks the page's connection, as a bad network does. The host waits for the page to come back.
  public func disconnect() {
    webSocket?.close(nil)
    webSocket = nil
  }

  /// Ends the page, as if its tab was closed.
  public func close() {
    webSocket?.close(.goingAway)
    webSocket = nil
  }

  // MARK: To the host

  /// Sends a request to the host and returns the data of its answer.
  ///
  /// - Parameters:
  ///   - action: The action of the request.
  ///   - data: Its data; nil for none.
  ///   - timeout: The time to wait for the answer, on the machine's clock.
  /// - Throws: `BridgeErrorPayload` if the answer is an error. ``ExpectationError`` if the answer has another status than success, or if
  ///   none comes.
  @discardableResult
  public func call(
    _ action: String, _ data: [String: JSONValue] = [:], within timeout: Duration = .usualPatience
  ) async throws -> [String: JSONValue] {
    let answer = try await ask(action, data, within: timeout)
    if let error = answer.error { throw error }
    guard answer.status == .success else {
      throw ExpectationError("\(action) was answered with \(answer.status.rawValue), not with success.")
    }
    return answer.data
  }

  /// Sends a request to the host and returns its answer, with any status.
  ///
  /// - Parameters:
  ///   - action: The action of the request.
  ///   - data: Its data; nil for none.
  ///   - timeout: The time to wait for the answer, on the machine's clock.
  /// - Throws: ``ExpectationError`` if none comes.
  public func ask(
    _ action: String, _ data: [String: JSONValue] = [:], within timeout: Duration = .usualPatience
  ) async throws(ExpectationError) -> Answer {
    requestCount += 1
    let correlationId = "footbridge-\(requestCount)"
    let text = text(correlationId, type: "request", action: action, data: data)
    unanswered.append((correlationId, text))
    send(text)
    if let answer = await answers.take(within: timeout, where: { $0.correlationId == correlationId }) { return answer }
    throw ExpectationError(
      "\(action) was not answered within \(timeout). The host has it as \(correlationId); is a sheet open that nobody answers?"
    )
  }

  /// Posts a message as `window.webkit.messageHandlers[channel].postMessage(message)` does, and returns the value of its promise.
  ///
  /// A message to `gbgBridge` is an envelope. Its answer comes as a message: ``message(within:where:)``.
  ///
  /// - Throws: `BridgeErrorPayload` if the promise rejects. ``ExpectationError`` if there is no such channel, or if no answer comes.
  @discardableResult
  public func post(
    _ message: JSONValue, to channel: String, within timeout: Duration = .usualPatience
  ) async throws -> JSONValue? {
    guard let configuration = session.inner.channels.first(where: { $0["name"] == .string(channel) }) else {
      throw ExpectationError("The page has no messageHandlers.\(channel).")
    }
    guard let action = configuration["action"]?.stringValue else {
      send(message.stringValue ?? message.jsonText)
      return nil
    }
    let answer = try await ask(action, ["value": message], within: timeout)
    if let error = answer.error { throw error }
    return configuration["reply"] == true ? answer.data["value"] : nil
  }

  /// Sends a text over the page's connection unchanged, for messages that no page should send.
  public func send(_ text: String) {
    webSocket?.send(text)
  }

  // MARK: From the host

  /// Waits for an event of a bridge. Each event is returned once, the oldest first.
  ///
  /// - Throws: ``ExpectationError`` if none comes within `timeout`.
  public func event(_ action: String, within timeout: Duration = .usualPatience) async throws(ExpectationError)
    -> Event
  {
    if let event = await newEvents.take(within: timeout, where: { $0.action == action }) { return event }
    let others = Set(events.map(\.action)).sorted()
    let arrived = others.isEmpty ? "No event has come so far." : "So far have come: \(others.joined(separator: ", "))."
    throw ExpectationError("No event \(action) came within \(timeout). \(arrived)")
  }

  /// Waits for a message of GBGBridge for which `isWanted` is true. Each message is returned once, the oldest first.
  ///
  /// - Throws: ``ExpectationError`` if none comes within `timeout`.
  public func message(
    within timeout: Duration = .usualPatience,
    where isWanted: @escaping @Sendable (JSONValue) -> Bool = { _ in true }
  ) async throws(ExpectationError) -> JSONValue {
    if let message = await newMessages.take(within: timeout, where: isWanted) { return message }
    throw ExpectationError("No such message came within \(timeout). \(messages.count) messages have come so far.")
  }

  private func received(_ bytes: [UInt8]) {
    // The host sends only such messages.
    guard let message = try? JSONValue(parsing: bytes), let payload = message["payload"] else { return }
    let action = payload["action"]?.stringValue ?? ""
    let correlationId = message["correlationId"]?.stringValue ?? ""
    let content = Event(action: action, data: payload["data"]?.objectValue ?? [:])
    if message["type"] == "response" { return received(answer: message, payload, correlationId) }
    let sequence = Int(message["sequence"]?.numberValue ?? 0)
    guard sequence > received else { return }
    received = sequence
    if message["type"] == "request" {
      send(text(correlationId, type: "response", action: action, data: onRequest(content), status: "success"))
    } else if !action.hasPrefix("footbridge.") {
      events.append(content)
      newEvents.put(content)
      if session.inner.isPages(action) { take(message) }
    }
  }

  private func received(answer: JSONValue, _ payload: JSONValue, _ correlationId: String) {
    // The page itself gets the answers to its own posts.
    guard correlationId.hasPrefix("footbridge-") else { return take(answer) }
    guard let status = payload["status"]?.stringValue.flatMap(BridgeResponseStatus.init), status != .acknowledged else {
      return
    }
    unanswered.removeAll { $0.correlationId == correlationId }
    let error = payload["error"].map {
      BridgeErrorPayload(
        code: $0["code"]?.stringValue ?? "", message: $0["message"]?.stringValue ?? "",
        recoverable: $0["recoverable"]?.boolValue ?? false)
    }
    answers.put(
      Answer(status: status, data: payload["data"]?.objectValue ?? [:], error: error, correlationId: correlationId))
  }

  private func take(_ message: JSONValue) {
    messages.append(message)
    newMessages.put(message)
  }

  private func text(
    _ correlationId: String, type: String, action: String, data: [String: JSONValue], status: String? = nil
  ) -> String {
    var payload: [String: JSONValue] = ["action": .string(action), "data": .object(data)]
    payload["status"] = status.map { .string($0) }
    let message: JSONValue = [
      "version": "1.0", "correlationId": .string(correlationId), "type": .string(type), "timestamp": 0,
      "payload": .object(payload),
    ]
    return message.jsonText
  }
}
