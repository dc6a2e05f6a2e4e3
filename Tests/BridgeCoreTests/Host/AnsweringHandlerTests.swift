import BridgeRuntime
import Testing

@testable import BridgeCore

/// A handler that answers at once is asked where the request arrives, but only where nobody else is to see the request before.
@Suite @BridgeActor struct AnsweringHandlerTests {
  /// Answers as the test says.
  private final class Handler: AnsweringCapabilityHandler {
    nonisolated let action: String
    private let body: (BridgeMessage) -> BridgeAnswer

    init(_ action: String, _ body: @escaping (BridgeMessage) -> BridgeAnswer) {
      self.action = action
      self.body = body
    }

    convenience init(_ action: String, by name: String) {
      self.init(action) { _ in BridgeAnswer(status: .success, data: ["by": .string(name)]) }
    }

    func answer(to request: BridgeMessage, of host: BridgeHost) -> BridgeAnswer { body(request) }
  }

  private final class Delegate: BridgeHostDelegate {
    private let log: (String) -> Void

    init(_ log: @escaping (String) -> Void) {
      self.log = log
    }

    func bridgeHost(_ host: BridgeHost, didReceive message: BridgeMessage) { log("received \(message.correlationId)") }
    func bridgeHost(_ host: BridgeHost, unhandledRequest message: BridgeMessage) {
      log("unhandled \(message.correlationId)")
    }
  }

  private final class Interceptor: BridgeRequestInterceptor {
    private let body: (BridgeMessage) -> Bool

    /// `body` says whether the request is to be handled.
    init(_ body: @escaping (BridgeMessage) -> Bool) {
      self.body = body
    }

    func intercept(
      _ request: BridgeMessage, responder: any BridgeResponder,
      handle: @escaping @BridgeActor (any BridgeResponder) -> Void
    ) {
      if body(request) { handle(responder) } else { responder.respond(status: .cancelled, data: nil, error: nil) }
    }
  }

  private let clock = ManualBridgeClock()
  private let webView = RecordingWebView()
  private let host: BridgeHost

  init() {
    host = BridgeHost(hostVersion: "1", clock: clock, random: BridgeRandom(seed: 1))
    host.attach(webView: webView)
  }

  private func answers(_ action: String) -> [JSONValue?] {
    let before = webView.messages.count
    host.receive(.make(action: action))
    return webView.messages[before...].map { $0.payload.data?["by"] }
  }

  @Test func `an answering handler's answer is sent once, with the request's id and action`() throws {
    let error = BridgeErrorPayload(code: "A", message: "b", recoverable: true)
    let answers = [
      BridgeAnswer(status: .acknowledged), BridgeAnswer(status: .success, text: Array(#"{"x":1}"#.utf8)),
      BridgeAnswer(status: .error, data: ["y": 2], error: error),
    ]
    for answer in answers {
      let before = webView.messages.count
      host.register(answering: Handler("a") { _ in answer })
      host.receive(.make(correlationId: "q", action: "a"))
      #expect(webView.messages.count == before + 1)
      let message = try #require(webView.messages.last)
      #expect(message.type == .response && message.correlationId == "q" && message.payload.action == "a")
      #expect(message.timestamp == clock.now.millisecondsSinceEpoch)
      #expect(message.payload.status == answer.status && message.payload.error == answer.error)
      #expect(message.payload.data == answer.data?.members)
    }
    #expect(host.pendingRequests.isEmpty && host.receivedMessages.count == 3)
  }

  @Test func `an answering handler gets no events and no responses`() {
    host.register(answering: Handler("a", by: "handler"))
    host.receive(.make(.event, action: "a"))
    host.receive(.make(.response, action: "a"))
    #expect(webView.messages.isEmpty)
  }

  @Test func `an interceptor gets the request before the handler is called, and may answer it`() {
    var asked = 0
    host.register(
      answering: Handler("a") { _ in
        asked += 1
        return BridgeAnswer(status: .success)
      })
    var seen: [Int] = []
    var handsOn = false
    let interceptor = Interceptor { _ in
      seen.append(asked)
      return handsOn
    }
    host.interceptor = interceptor
    host.receive(.make(action: "a"))
    handsOn = true
    host.receive(.make(action: "a"))
    host.interceptor = nil
    host.receive(.make(action: "a"))
    #expect(seen == [0, 0])
    #expect(asked == 2)
    #expect(webView.messages.map(\.payload.status) == [.cancelled, .success, .success])
  }

  @Test func `the delegate gets the request before the handler is called`() {
    var log: [String] = []
    let delegate = Delegate { log.append($0) }
    host.delegate = delegate
    host.register(
      answering: Handler("a") {
        log.append("asked \($0.correlationId)")
        return BridgeAnswer(status: .success)
      })
    host.receive(.make(correlationId: "1", action: "a"))
    #expect(log == ["received 1", "asked 1"])
    #expect(webView.messages.count == 1)
  }

  @Test func `a slot goes before a handler of its action only if the slot has a handler`() async {
    let action = "camera.selfie.capture"
    host.register(answering: Handler(action, by: "handler"))
    #expect(answers(action) == ["handler"])
    host.selfieCapture.handler = { _ in .cancelled(reason: "by slot") }
    host.receive(.make(action: action))
    await webView.delivered(2)
    #expect(webView.messages.last?.payload.data == ["reason": "by slot"])
    host.selfieCapture.handler = nil
    #expect(answers(action) == ["handler"])
  }

  @Test func `an answering handler goes before a custom capability and a family, until it is unregistered`() {
    final class Family: BridgeHandlerFamily {
      func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
        responder.respond(status: .success, data: ["by": "family"], error: nil)
        return true
      }
    }
    host.registerCustomCapability("a") { _, _ in }
    host.register(family: Family())
    #expect(answers("a") == ["family"])
    host.register(answering: Handler("a", by: "handler"))
    #expect(answers("a") == ["handler"])
    host.register(answering: Handler("a", by: "other"))
    #expect(answers("a") == ["other"])
    host.unregister(action: "a")
    #expect(answers("a") == [])
  }

  @Test func `an answer is dropped without a page, or when JSON cannot express its data`() {
    host.register(answering: Handler("a") { _ in BridgeAnswer(status: .success, data: ["x": .number(.infinity)]) })
    host.receive(.make(action: "a"))
    #expect(webView.messages.isEmpty && host.lastError?.contains("infinity") == true)
    host.detach()
    host.register(answering: Handler("a", by: "handler"))
    host.receive(.make(action: "a"))
    #expect(webView.messages.isEmpty && host.lastError?.contains("no web view") == true)
  }

  @Test func `a BridgeResponder without answer texts gets the same data`() {
    final class Responder: BridgeResponder {
      let answers = SharedAnswers()
      func respond(status: BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?) {
        BridgeActor.assumeIsolated((self, data)) { $0.answers.all.append($1) }
      }
    }
    let responder = Responder()
    responder.respond(BridgeAnswer(status: .success, text: Array(#"{"x":1}"#.utf8)))
    responder.respond(BridgeAnswer(status: .success, data: ["y": 2]))
    responder.respond(BridgeAnswer(status: .success))
    #expect(responder.answers.all == [["x": 1], ["y": 2], nil])
  }

  @Test func `richCapabilities is called while a capability query is handled, with the page's camera`() throws {
    host.serve(webView, clock: clock, random: BridgeRandom(seed: 1))
    host.camera = CameraDetector.Result(hardwareAvailable: true, permissionState: .granted)
    host.register(
      handler: CapabilityQueryHandler(
        richCapabilities: {
          let camera = CameraDetector.check()
          return [
            "camera.document": BridgeCapabilityInfo(
              supported: camera.hardwareAvailable, permissionState: camera.permissionState.rawValue)
          ]
        }, hostVersion: "1"))
    host.receive(.make(action: "capability.query"), at: clock.now, cause: 1, isPosted: true)
    #expect(
      webView.messages.first?.payload.data?["capabilities"]?["camera.document"]?["permissionState"] == "granted")
  }

  @Test func `each of two hosts answers with its own version, also after the other is freed`() throws {
    var other: BridgeHost? = BridgeHost(hostVersion: "2")
    other?.attach(webView: webView)
    other?.receive(.make(action: "capability.query"))
    weak let gone = other
    other = nil
    #expect(gone == nil)
    host.receive(.make(action: "capability.query"))
    #expect(webView.messages.map { $0.payload.data?["hostVersion"] } == ["2", "1"])
  }
}

@BridgeActor private final class SharedAnswers {
  var all: [[String: JSONValue]?] = []
  nonisolated init() {}
}
