import GBGBridge
import Observation
import Testing

// An app around a host, as it would be for iOS: only `import GBGBridge`, `@MainActor`, and the names of WebKit.

/// A host that sees what the page posts before it is routed, and notes what it sends.
final class LoggingHost: BridgeHost {
  private(set) var posted: [String] = []
  private(set) var sent: [String] = []

  override func userContentController(
    _ userContentController: WKUserContentController,
    didReceive message: WKScriptMessage
  ) {
    let envelope = message.body as? [String: Any]
    posted.append("\(message.name) \(envelope?["type"] ?? "text")")
    super.userContentController(userContentController, didReceive: message)
  }

  override func send(event action: String, data: [String: JSONValue]) {
    sent.append(action)
    super.send(event: action, data: data)
  }
}

/// A navigation delegate that tells the page when it has loaded.
final class JourneyCoordinator: BridgeWebView.Coordinator {
  var onFinish: (() -> Void)?

  override func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {
    onFinish?()
  }
}

@MainActor
final class TrafficLog: ObservableObject, BridgeHostDelegate {
  @Published private(set) var lines: [String] = []

  func bridgeHost(_ host: BridgeHost, didReceive message: BridgeMessage) {
    lines.append("\(message.type.rawValue) \(message.payload.action)")
  }

  func bridgeHost(_ host: BridgeHost, unhandledRequest message: BridgeMessage) {
    host.respond(to: message.correlationId, status: .unsupported)
  }
}

@MainActor
@Observable
final class JourneyModel {
  let host: BridgeHost
  private(set) var isCapturing = false

  init(host: BridgeHost) {
    self.host = host
    host.documentCapture.handler = { [weak self] request in
      await self?.capture(request) ?? .cancelled(reason: "The screen has gone")
    }
    host.documentCapture.version = "2.1"
    host.documentCapture.permissionState = CameraDetector.check().permissionState
  }

  private func capture(_ request: BridgeMessage) async -> CaptureResult {
    isCapturing = true
    defer { isCapturing = false }
    return await host.documentCapture.awaitCompletion()
  }

  func didTakePicture(_ imageData: Data) {
    host.documentCapture.complete(
      .document(DocumentCaptureResult(imageData: imageData, width: 1920, height: 1080))
    )
  }
}

/// A screen with a web view of its own, as an app without SwiftUI has it.
@MainActor
final class JourneyScreen: NSObject, WKNavigationDelegate, WKScriptMessageHandler {
  let webView: WKWebView
  let host: BridgeHost
  private(set) var analytics: [String] = []
  private(set) var loads = 0

  init(host: BridgeHost) {
    self.host = host
    let configuration = WKWebViewConfiguration()
    configuration.userContentController.addUserScript(
      WKUserScript(source: "window.app = {}", injectionTime: .atDocumentStart, forMainFrameOnly: true)
    )
    webView = WKWebView(frame: .zero, configuration: configuration)
    super.init()
    webView.navigationDelegate = self
    webView.configuration.userContentController.add(self, name: "analytics")
    BridgeWebViewConfigurator.configure(webView, host: host)
  }

  func load(_ url: URL) {
    webView.load(URLRequest(url: url))
  }

  func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!) {
    loads += 1
  }

  func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
    if let text = message.body as? String { analytics.append(text) }
  }
}

@Suite @MainActor struct HostAppTests {
  private let envelope: JSONValue = [
    "version": "1.0", "correlationId": "r", "type": "request", "timestamp": 1, "payload": ["action": "pin.enter"],
  ]

  @Test func `a subclass of BridgeHost gets each posted message before it is routed`() {
    let host = LoggingHost(hostVersion: "1.0.0")
    let webView = BridgeWebViewConfigurator.makeWebView(host: host)
    webView.configuration.userContentController.post(envelope, to: "gbgBridge")
    webView.configuration.userContentController.post(.string(envelope.jsonText), to: "gbgBridge")
    #expect(host.posted == ["gbgBridge request", "gbgBridge text"])
    #expect(host.pendingRequests.count == 2)
    host.send(event: "host.ready", data: [:])
    #expect(host.sent == ["host.ready"])
  }

  @Test func `a delegate observes messages and answers unhandled requests`() async {
    let fixture = Fixture()
    let log = TrafficLog()
    fixture.host.delegate = log
    fixture.request("pin.enter")
    #expect(log.lines == ["request pin.enter"])
    #expect(await fixture.webView.payload(1).status == .unsupported)
  }

  @Test func `a model on the main actor completes a capture`() async {
    let fixture = Fixture()
    let model = JourneyModel(host: fixture.host)
    fixture.request("camera.document.capture")
    while !model.isCapturing { await Task.yield() }
    model.didTakePicture(Data([1, 2, 3]))
    #expect(await fixture.webView.payload(1).data?["imageBase64"] == "AQID")
    #expect(fixture.host.documentCapture.buildCapabilityInfo().version == "2.1")
  }

  @Test func `a screen has a web view, a channel and a script of its own`() throws {
    let screen = JourneyScreen(host: BridgeHost(hostVersion: "1.0.0"))
    let url = try #require(URL(string: "https://journey.example.com/start"))
    screen.load(url)
    #expect(screen.webView.url == url)
    #expect(screen.loads == 1)
    let controller = screen.webView.configuration.userContentController
    controller.post("opened", to: "analytics")
    #expect(screen.analytics == ["opened"])
    #expect(controller.userScripts.count == 1)
  }

  @Test func `BridgeWebView uses the coordinator of a subclass`() throws {
    let host = BridgeHost(hostVersion: "1.0.0")
    let view = BridgeWebView(url: try #require(URL(string: "https://journey.example.com")), host: host)
    let coordinator = JourneyCoordinator()
    coordinator.onFinish = { host.send(event: "host.ready", data: [:]) }
    let webView = view.makeWebView(coordinator: coordinator)
    coordinator.webView(webView, didFinish: nil)
    #expect(host.lastError == nil)
  }

  @Test func `code of the main actor runs on the bridge's executor`() async {
    let host = BridgeHost(hostVersion: "1.0.0")
    await Task.detached {
      await MainActor.run { host.send(event: "a", data: [:]) }
      await Task { @MainActor in host.clearError() }.value
    }.value
    let lastError = MainActor.assumeIsolated { host.lastError }
    #expect(lastError == nil)
    #expect(BridgeExecutor.shared.isOnExecutorThread)
  }
}
