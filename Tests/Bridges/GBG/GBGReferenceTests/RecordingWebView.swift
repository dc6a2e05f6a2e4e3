import GBGBridge

/// A web view that keeps what it is given.
@MainActor
final class RecordingWebView: WKWebView {
  private(set) var messages: [BridgeMessage] = []
  private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  override func deliver(_ message: BridgeMessage, sequenced: Bool) {
    messages.append(message)
    for waiter in waiters where messages.count >= waiter.count { waiter.continuation.resume() }
    waiters.removeAll { messages.count >= $0.count }
  }

  /// The payload of the message of this number, counted from 1, when it has come.
  func payload(_ number: Int) async -> BridgePayload {
    if messages.count < number { await withCheckedContinuation { waiters.append((number, $0)) } }
    return messages[number - 1].payload
  }
}

/// A host and the web view that it speaks to.
@MainActor
struct Fixture {
  let host: BridgeHost
  let webView = RecordingWebView()

  init(_ host: BridgeHost = BridgeHost(hostVersion: "1.0.0")) {
    self.host = host
    host.attach(webView: webView)
  }

  /// The page sends a request.
  func request(_ action: String, correlationId: String = "c") {
    host.receive(
      BridgeMessage(
        version: "1.0",
        correlationId: correlationId,
        type: .request,
        timestamp: 1,
        payload: BridgePayload(action: action, data: nil, status: nil, error: nil)
      )
    )
  }
}
