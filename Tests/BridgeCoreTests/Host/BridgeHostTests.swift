import BridgeCore
import BridgeRuntime
import Testing

@Suite @BridgeActor struct BridgeHostTests {
  let clock = ManualBridgeClock()
  let webView = RecordingWebView()
  let host: BridgeHost

  init() {
    host = BridgeHost(hostVersion: "2.3.4", clock: clock, random: BridgeRandom(seed: 1))
    host.attach(webView: webView)
  }

  @Test func `capability query answers with environment, version and custom capabilities`() throws {
    host.registerCustomCapability("nfc.read") { _, _ in }
    host.registerCustomCapability("pin.enter", version: "3.1") { _, _ in }
    host.receive(.make(correlationId: "q", action: "capability.query"))
    let answer = try #require(webView.messages.first)
    #expect(answer.type == .response)
    #expect(answer.correlationId == "q")
    #expect(answer.timestamp == clock.now.millisecondsSinceEpoch)
    #expect(answer.payload.action == "capability.query")
    #expect(answer.payload.status == .success)
    #expect(
      answer.payload.data == [
        "environment": "ios", "hostVersion": "2.3.4",
        "capabilities": [
          "camera.document": ["supported": false, "version": nil],
          "camera.selfie": ["supported": false, "version": nil],
          "nfc.read": ["supported": true, "version": "1.0"], "pin.enter": ["supported": true, "version": "3.1"],
        ],
      ]
    )
  }

  @Test func `a host with a configuration reports only the configured capabilities`() {
    let host = BridgeHost(
      configuration: BridgeConfiguration(
        hostVersion: "1",
        capabilities: ["a": BridgeCapabilityInfo(supported: true), "b": BridgeCapabilityInfo(supported: false)]
      )
    )
    host.attach(webView: webView)
    host.registerCustomCapability("c") { _, _ in }
    host.receive(.make(action: "capability.query"))
    #expect(host.capabilities == ["a": true, "b": false])
    #expect(
      webView.messages.first?.payload.data?["capabilities"] == [
        "a": ["supported": true, "version": "1.0"], "b": ["supported": false, "version": nil],
      ]
    )
  }

  @Test func `a request without a handler stays pending, and the delegate is told`() {
    let delegate = RecordingDelegate()
    host.delegate = delegate
    host.receive(.make(correlationId: "p", action: "unknown"))
    #expect(host.pendingRequests.map(\.correlationId) == ["p"])
    #expect(webView.messages.isEmpty)
    #expect(delegate.received == ["p"])
    #expect(delegate.unhandled == ["p"])
  }

  @Test func `answering a pending request removes it from the list and repeats its action`() {
    host.receive(.make(correlationId: "p", action: "unknown"))
    host.respond(to: "p", status: .success, data: ["x": 1])
    #expect(host.pendingRequests.isEmpty)
    #expect(webView.messages.map(\.payload.action) == ["unknown"])
    host.respond(to: "p", status: .success)
    #expect(webView.messages.count == 1)
    #expect(host.lastError?.contains("p") == true)
  }

  @Test func `answering with an explicit action leaves the pending requests unchanged`() {
    host.receive(.make(correlationId: "p", action: "unknown"))
    host.respond(to: "p", action: "other", status: .acknowledged)
    #expect(host.pendingRequests.count == 1)
    #expect(webView.messages.map(\.payload.status) == [.acknowledged])
  }

  @Test func `a later handler replaces an earlier one, and unregistering leaves requests pending`() async {
    host.register(handler: AnsweringHandler(action: "a", note: "first"))
    host.register(handler: AnsweringHandler(action: "a", note: "second"))
    host.receive(.make(action: "a"))
    await webView.delivered(1)
    #expect(webView.messages.first?.payload.data == ["note": "second"])
    host.unregister(action: "a")
    host.receive(.make(action: "a"))
    #expect(host.pendingRequests.count == 1)
  }

  @Test func `the second answer of a responder has no effect`() async {
    host.register(handler: AnsweringHandler(action: "a", note: "once", times: 3))
    host.receive(.make(action: "a"))
    await webView.delivered(1)
    host.receive(.make(action: "capability.query"))
    #expect(webView.messages.map(\.payload.action) == ["a", "capability.query"])
  }

  @Test func `an event is stored, and neither answered nor pending`() {
    host.receive(.make(.event, action: "capability.query"))
    #expect(host.receivedMessages.count == 1)
    #expect(host.pendingRequests.isEmpty)
    #expect(host.lastError == nil)
    #expect(webView.messages.isEmpty)
  }

  @Test func `a text that is not an envelope only sets lastError`() {
    host.receive("{\"type\":\"request\"}".utf8)
    #expect(host.lastError != nil)
    #expect(host.receivedMessages.isEmpty)
    #expect(webView.messages.isEmpty)
    host.clearError()
    #expect(host.lastError == nil)
  }

  @Test func `sending without a web view only sets lastError`() {
    host.detach()
    host.send(event: "host.ready", data: [:])
    #expect(host.lastError?.contains("host.ready") == true)
  }

  @Test func `a pending request that could not be answered stays pending`() {
    host.receive(.make(correlationId: "p", action: "unknown"))
    host.detach()
    host.respond(to: "p", status: .success)
    #expect(host.lastError?.contains("unknown") == true)
    #expect(host.pendingRequests.map(\.correlationId) == ["p"])
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func `a number that JSON cannot express is not sent, and sets lastError`(number: Double) {
    host.send(event: "host.ready", data: ["a": [["b": .number(number)]]])
    #expect(webView.messages.isEmpty)
    #expect(host.lastError?.contains("host.ready") == true)
  }

  @Test func `the delegate gets every message in order, and only unhandled requests as unhandled`() {
    let delegate = RecordingDelegate()
    host.delegate = delegate
    host.receive(.make(.event, correlationId: "1"))
    host.receive(.make(.response, correlationId: "2"))
    host.receive(.make(correlationId: "3", action: "capability.query"))
    #expect(delegate.received == ["1", "2", "3"])
    #expect(delegate.unhandled.isEmpty)
    #expect(host.receivedMessages.map(\.correlationId) == ["1", "2", "3"])
  }

  @Test func `an event to the page gets a correlation id of its own`() {
    host.send(event: "host.ready", data: ["a": 1])
    #expect(webView.messages.first?.type == .event)
    #expect(webView.messages.first?.correlationId.hasPrefix("ios-event-") == true)
  }

  @Test func `a request to the page waits for its response`() async throws {
    async let answer = host.request(action: "ask", data: [:])
    await webView.delivered(1)
    let question = try #require(webView.messages.first)
    host.receive(.make(.response, correlationId: question.correlationId, action: "ask", data: ["result": false]))
    #expect(await answer?.payload.data == ["result": false])
  }

  @Test func `a request whose data is a text sends the text unchanged`() async throws {
    async let answer = host.request(action: "ask", text: Array(#"{"b":1,"a":2}"#.utf8))
    await webView.delivered(1)
    let question = try #require(webView.messages.first)
    #expect(question.payload.data == ["b": 1, "a": 2])
    host.receive(.make(.response, correlationId: question.correlationId, action: "ask", data: ["result": true]))
    #expect(await answer?.payload.data == ["result": true])
  }

  @Test func `a request to a page that is detached returns nil`() async {
    async let answer = host.request(action: "ask", data: [:])
    await webView.delivered(1)
    host.detach()
    #expect(await answer?.id == nil)
    #expect(await host.request(action: "ask", data: [:])?.id == nil)
  }

  @Test func `receivedMessages stays below its byte limit, and always has the last message`() {
    host.receivedMessagesByteLimit = 10_000
    func receive(_ number: Int, _ count: Int) {
      let text = String(repeating: "x", count: count)
      host.receive(
        #"{"version":"1.0","correlationId":"\#(number)","type":"event","timestamp":1,"payload":{"action":"a","data":{"x":"\#(text)"}}}"#
          .utf8)
    }
    for number in 0..<50 { receive(number, 2000) }
    #expect((2...4).contains(host.receivedMessages.count))
    #expect(host.receivedMessages.last?.correlationId == "49")
    receive(50, 20_000)
    #expect(host.receivedMessages.map(\.correlationId) == ["50"])
  }

  @Test func `the oldest pending request is answered with BUSY above the limit`() {
    host.pendingRequestsLimit = 2
    for id in ["a", "b", "c"] { host.receive(.make(correlationId: id, action: "unknown")) }
    #expect(host.pendingRequests.map(\.correlationId) == ["b", "c"])
    #expect(webView.messages.map(\.correlationId) == ["a"])
    #expect(webView.messages.first?.payload.error?.code == "BUSY")
    #expect(host.lastError?.contains("unknown") == true)
  }

  @Test func `receivedMessages has at most receivedMessagesLimit messages`() {
    host.receivedMessagesLimit = 10
    for number in 0..<100 { host.receive(.make(.event, correlationId: "\(number)")) }
    #expect(host.receivedMessages.map(\.correlationId) == (90..<100).map { "\($0)" })
  }
}

private final class AnsweringHandler: BridgeCapabilityHandler {
  let action: String
  let note: String
  let times: Int

  init(action: String, note: String, times: Int = 1) {
    self.action = action
    self.note = note
    self.times = times
  }

  func handle(request: BridgeMessage, responder: any BridgeResponder) async {
    for _ in 0..<times { responder.respond(status: .success, data: ["note": .string(note)], error: nil) }
  }
}

@BridgeActor private final class RecordingDelegate: BridgeHostDelegate {
  var received: [String] = []
  var unhandled: [String] = []

  func bridgeHost(_ host: BridgeHost, didReceive message: BridgeMessage) { received.append(message.correlationId) }

  func bridgeHost(_ host: BridgeHost, unhandledRequest message: BridgeMessage) {
    unhandled.append(message.correlationId)
  }
}
