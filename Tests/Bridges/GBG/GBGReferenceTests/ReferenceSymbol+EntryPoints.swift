import GBGBridge
import Observation

extension ReferenceSymbol {
  static let entryPoints: [ReferenceSymbol] = [
    ReferenceSymbol("BridgeHost") {
      final class Subclass: BridgeHost {}
      let host: NSObject & ObservableObject & Observable & WKScriptMessageHandler = Subclass(hostVersion: "1.0.0")
      return host is BridgeHost
    },
    ReferenceSymbol("BridgeHost.init(hostVersion:)") {
      let fixture = Fixture(BridgeHost(hostVersion: "1.0.0"))
      fixture.request("capability.query")
      return await fixture.webView.payload(1).data?["capabilities"]?["camera.document"] != nil
    },
    ReferenceSymbol("BridgeHost.init(configuration:)") {
      let capabilities = ["camera.capture": BridgeCapabilityInfo(supported: true, version: "1.0")]
      let configuration = BridgeConfiguration(hostVersion: "1.0.0", capabilities: capabilities)
      let fixture = Fixture(BridgeHost(configuration: configuration))
      fixture.request("capability.query")
      return await fixture.webView.payload(1).data?["capabilities"]
        == ["camera.capture": ["supported": true, "version": "1.0"]]
    },
    ReferenceSymbol("BridgeHost.receivedMessages") {
      let fixture = Fixture()
      fixture.request("a")
      let received: [BridgeMessage] = fixture.host.receivedMessages
      return received.map(\.payload.action) == ["a"]
    },
    ReferenceSymbol("BridgeHost.pendingRequests") {
      let fixture = Fixture()
      fixture.request("a")
      let pending: [BridgeMessage] = fixture.host.pendingRequests
      return pending.map(\.payload.action) == ["a"]
    },
    ReferenceSymbol("BridgeHost.capabilities") {
      let capabilities = ["a": BridgeCapabilityInfo(supported: false)]
      let host = BridgeHost(configuration: BridgeConfiguration(hostVersion: "1", capabilities: capabilities))
      let supported: [String: Bool] = host.capabilities
      return supported == ["a": false]
    },
    ReferenceSymbol("BridgeHost.lastError") {
      let host = BridgeHost(hostVersion: "1")
      host.send(event: "a", data: [:])
      let error: String? = host.lastError
      return error != nil
    },
    ReferenceSymbol("BridgeHost.documentCapture") {
      let slot: CaptureCapability = BridgeHost(hostVersion: "1").documentCapture
      return slot.id == "camera.document" && slot.actionId == "camera.document.capture"
    },
    ReferenceSymbol("BridgeHost.selfieCapture") {
      let slot: CaptureCapability = BridgeHost(hostVersion: "1").selfieCapture
      return slot.id == "camera.selfie" && slot.actionId == "camera.selfie.capture"
    },
    ReferenceSymbol("BridgeHost.delegate") {
      final class Delegate: BridgeHostDelegate {}
      let host = BridgeHost(hostVersion: "1")
      var delegate: Delegate? = Delegate()
      host.delegate = delegate
      let isSet = host.delegate === delegate
      delegate = nil
      return isSet && host.delegate == nil
    },
    ReferenceSymbol("BridgeHost.configuration") {
      let configuration: BridgeConfiguration = BridgeHost(hostVersion: "1.2.3").configuration
      return configuration.hostVersion == "1.2.3"
    },
    ReferenceSymbol("BridgeHost.register(handler:)") {
      let fixture = Fixture()
      let handler: any BridgeCapabilityHandler = CapabilityQueryHandler(capabilities: { [:] }, hostVersion: "2")
      fixture.host.register(handler: handler)
      fixture.request("capability.query")
      return await fixture.webView.payload(1).data?["hostVersion"] == "2"
    },
    ReferenceSymbol("BridgeHost.unregister(action:)") {
      let fixture = Fixture()
      fixture.host.unregister(action: "capability.query")
      fixture.request("capability.query")
      return fixture.host.pendingRequests.count == 1
    },
    ReferenceSymbol("BridgeHost.registerCustomCapability(_:version:handler:)") {
      let fixture = Fixture()
      fixture.host.registerCustomCapability("pin.enter", version: "2.0") { request, responder in
        responder.respond(status: .success, data: ["by": .string(request.payload.action)], error: nil)
      }
      fixture.host.registerCustomCapability("nfc.read") { _, _ in }
      fixture.request("pin.enter")
      return await fixture.webView.payload(1).data == ["by": "pin.enter"]
    },
    ReferenceSymbol("BridgeHost.attach(webView:)") {
      let host = BridgeHost(hostVersion: "1")
      let webView = RecordingWebView()
      host.attach(webView: webView)
      host.send(event: "a", data: [:])
      return webView.messages.count == 1
    },
    ReferenceSymbol("BridgeHost.clearError()") {
      let host = BridgeHost(hostVersion: "1")
      host.send(event: "a", data: [:])
      host.clearError()
      return host.lastError == nil
    },
    ReferenceSymbol("BridgeHost.send(event:data:)") {
      let fixture = Fixture()
      fixture.host.send(event: "journey.progress", data: ["step": .number(2)])
      return await fixture.webView.payload(1).data == ["step": 2]
    },
    ReferenceSymbol("BridgeHost.respond(to:status:data:error:)") {
      let fixture = Fixture()
      fixture.request("a", correlationId: "p")
      fixture.request("b", correlationId: "q")
      let error = BridgeErrorPayload(code: "A", message: "b", recoverable: true)
      fixture.host.respond(to: "p", status: .error, data: ["x": .null], error: error)
      fixture.host.respond(to: "q", status: .success)
      return fixture.webView.messages.map(\.payload.action) == ["a", "b"] && fixture.host.pendingRequests.isEmpty
    },
    ReferenceSymbol("BridgeHost.respond(to:action:status:data:error:)") {
      let fixture = Fixture()
      let error = BridgeErrorPayload(code: "A", message: "b", recoverable: true)
      fixture.host.respond(to: "p", action: "a", status: .error, data: ["x": .null], error: error)
      fixture.host.respond(to: "q", action: "b", status: .acknowledged)
      return fixture.webView.messages.map(\.payload.action) == ["a", "b"]
    },
    ReferenceSymbol("BridgeHost.userContentController(_:didReceive:)") {
      let host = BridgeHost(hostVersion: "1")
      let event = #"{"version":"1.0","correlationId":"e","type":"event","timestamp":1,"payload":{"action":"a"}}"#
      let message = WKScriptMessage(name: "gbgBridge", body: .string(event))
      host.userContentController(WKUserContentController(), didReceive: message)
      return host.receivedMessages.map(\.correlationId) == ["e"]
    },
    ReferenceSymbol("BridgeWebView.init(url:host:)") {
      guard let url = URL(string: "https://journey.example.com") else { return false }
      let view = BridgeWebView(url: url, host: BridgeHost(hostVersion: "1"))
      return view.makeWebView(coordinator: view.makeCoordinator()).url == url
    },
    ReferenceSymbol("BridgeWebView.url") {
      guard let url = URL(string: "https://journey.example.com") else { return false }
      return BridgeWebView(url: url, host: BridgeHost(hostVersion: "1")).url == url
    },
    ReferenceSymbol("BridgeWebView.host") {
      guard let url = URL(string: "https://journey.example.com") else { return false }
      let host = BridgeHost(hostVersion: "1")
      return BridgeWebView(url: url, host: host).host === host
    },
    ReferenceSymbol("BridgeWebView.Coordinator") {
      final class Subclass: BridgeWebView.Coordinator {}
      let coordinator: NSObject & WKNavigationDelegate = Subclass()
      return coordinator is BridgeWebView.Coordinator
    },
    ReferenceSymbol("BridgeWebViewConfigurator.configure(_:host:)") {
      let host = BridgeHost(hostVersion: "1")
      let webView = RecordingWebView()
      BridgeWebViewConfigurator.configure(webView, host: host)
      host.send(event: "a", data: [:])
      return webView.messages.count == 1
    },
    ReferenceSymbol("BridgeWebViewConfigurator.makeWebView(host:)") {
      let host = BridgeHost(hostVersion: "1")
      let webView: WKWebView = BridgeWebViewConfigurator.makeWebView(host: host)
      host.send(event: "a", data: [:])
      return host.lastError == nil && webView.url == nil
    },
  ]
}
