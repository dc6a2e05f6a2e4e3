import BridgeCore
import BridgeRuntime
import Foundation
import Testing

@Suite @BridgeActor struct WebViewTests {
  let host = BridgeHost(
    configuration: BridgeConfiguration(hostVersion: "1", capabilities: [:], bootstrapScript: "start()")
  )

  @Test func `configuring a web view adds the script, opens the channel, and attaches the host`() {
    let webView = RecordingWebView()
    BridgeWebViewConfigurator.configure(webView, host: host)
    let controller = webView.configuration.userContentController
    #expect(
      controller.userScripts == [
        UserScript(source: "start()", injectionTime: .atDocumentStart, forMainFrameOnly: true)
      ]
    )
    let query: JSONValue = [
      "version": "1.0", "correlationId": "q", "type": "request", "timestamp": 1,
      "payload": ["action": "capability.query"],
    ]
    #expect(controller.post(query, to: "gbgBridge"))
    #expect(webView.messages.map(\.correlationId) == ["q"])
    #expect(!controller.post(query, to: "gbgbridge"))
    controller.removeScriptMessageHandler(forName: "gbgBridge")
    #expect(!controller.post(query, to: "gbgBridge"))
  }

  @Test func `a host without a script adds none to its web view`() {
    let webView = BridgeWebViewConfigurator.makeWebView(host: BridgeHost(hostVersion: "1"))
    #expect(webView.configuration.userContentController.userScripts.isEmpty)
  }

  @Test func `the page may post an envelope as an object or as text`() {
    let envelope: JSONValue = [
      "version": "1.0", "correlationId": "e", "type": "event", "timestamp": 1, "payload": ["action": "a"],
    ]
    let controller = UserContentController()
    for body in [envelope, .string(envelope.jsonText)] {
      host.userContentController(controller, didReceive: ScriptMessage(name: "gbgBridge", body: body))
    }
    #expect(host.receivedMessages.map(\.correlationId) == ["e", "e"])
    #expect(host.lastError == nil)
  }

  @Test(arguments: [nil, 1, true, [], "", "nonsense", "[]", [:], ["type": "request"]] as [JSONValue])
  func `posting anything but an envelope only sets lastError`(body: JSONValue) {
    host.userContentController(UserContentController(), didReceive: ScriptMessage(name: "gbgBridge", body: body))
    #expect(host.lastError != nil)
    #expect(host.receivedMessages.isEmpty)
    #expect(host.pendingRequests.isEmpty)
  }

  @Test func `a host does not retain its web view`() {
    func attachForAMoment() {
      let webView = BridgeWebViewConfigurator.makeWebView(host: host)
      host.send(event: "host.ready", data: [:])
      #expect(host.lastError == nil)
      _ = webView
    }
    attachForAMoment()
    host.send(event: "host.ready", data: [:])
    #expect(host.lastError?.contains("no web view is attached") == true)
  }

  @Test func `BridgeWebView loads its URL once, and again when the URL changes`() throws {
    let coordinator = LoadingCoordinator()
    var view = BridgeWebView(url: try #require(URL(string: "HTTPS://Journey.example:443")), host: host)
    let webView = view.makeWebView(coordinator: coordinator)
    #expect(webView.url == view.url)
    for same in ["https://journey.example/", "https://journey.example"] {
      view.url = try #require(URL(string: same))
      view.updateWebView(webView, coordinator: coordinator)
    }
    #expect(coordinator.loaded.count == 1)
    for other in ["https://journey.example/Next", "https://journey.example/next", "https://journey.example:8443/next"] {
      view.url = try #require(URL(string: other))
      view.updateWebView(webView, coordinator: coordinator)
      #expect(webView.url == view.url)
    }
    #expect(coordinator.loaded.count == 4)
  }
}

private final class LoadingCoordinator: BridgeWebView.Coordinator {
  var loaded: [URL] = []

  override func webView(_ webView: WebView, didStartProvisionalNavigation navigation: WebViewNavigation!) {
    if let url = webView.url { loaded.append(url) }
  }
}
