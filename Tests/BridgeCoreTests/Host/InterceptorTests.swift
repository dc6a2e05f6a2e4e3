import BridgeRuntime
import Testing

@testable import BridgeCore

@Suite @BridgeActor struct InterceptorTests {
  /// Does with a request what the test says.
  private final class Interceptor: BridgeRequestInterceptor {
    typealias Body = (BridgeMessage, any BridgeResponder, @escaping @BridgeActor (any BridgeResponder) -> Void) -> Void

    let body: Body

    init(_ body: @escaping Body) {
      self.body = body
    }

    func intercept(
      _ request: BridgeMessage, responder: any BridgeResponder,
      handle: @escaping @BridgeActor (any BridgeResponder) -> Void
    ) {
      body(request, responder, handle)
    }
  }

  private let webView = RecordingWebView()
  private let host = BridgeHost(hostVersion: "1", clock: ManualBridgeClock(), random: BridgeRandom(seed: 1))

  init() {
    host.attach(webView: webView)
  }

  @Test func `an interceptor's answer is sent, and no handler gets the request`() {
    host.interceptor = Interceptor { _, responder, _ in
      responder.respond(status: .cancelled, data: nil, error: nil)
    }
    host.receive(.make(correlationId: "q", action: "capability.query"))
    host.receive(.make(correlationId: "p", action: "unknown"))
    #expect(webView.messages.map(\.payload.status) == [.cancelled, .cancelled])
    #expect(host.pendingRequests.isEmpty)
    #expect(host.receivedMessages.map(\.correlationId) == ["q", "p"])
  }

  @Test func `a request that the interceptor passes on later is handled then`() {
    var handOn: (() -> Void)?
    host.interceptor = Interceptor { _, responder, handle in handOn = { handle(responder) } }
    host.receive(.make(action: "capability.query"))
    #expect(webView.messages.isEmpty)
    handOn?()
    #expect(webView.messages.map(\.payload.status) == [.success])
  }

  @Test func `an interceptor is not shown events and responses`() {
    host.interceptor = Interceptor { _, _, _ in Issue.record("It was shown a message.") }
    host.receive(.make(.event, action: "a"))
    host.receive(.make(.response, action: "a"))
    #expect(host.receivedMessages.count == 2)
  }
}
