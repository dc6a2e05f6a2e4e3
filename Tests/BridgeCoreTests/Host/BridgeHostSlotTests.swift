import BridgeCore
import BridgeRuntime
import Testing

/// Which of slots, handlers and custom capabilities answers, and what `capability.query` says of them.
@Suite @BridgeActor struct BridgeHostSlotTests {
  let webView = RecordingWebView()
  let host = BridgeHost(hostVersion: "1.0.0", clock: ManualBridgeClock(), random: BridgeRandom(seed: 1))

  init() {
    host.attach(webView: webView)
  }

  private func queriedCapabilities(of host: BridgeHost) -> JSONValue? {
    host.receive(.make(correlationId: "q", action: "capability.query"))
    return webView.messages.last { $0.correlationId == "q" }?.payload.data?["capabilities"]
  }

  @Test func `a query reports both slots as unsupported while they have no handlers`() {
    #expect(
      queriedCapabilities(of: host) == [
        "camera.document": ["supported": false, "version": nil], "camera.selfie": ["supported": false, "version": nil],
      ]
    )
  }

  @Test func `a query reports each change of a handler, permission, slot or capability`() {
    var answers = [queriedCapabilities(of: host)]
    let changes: [() -> Void] = [
      { host.selfieCapture.handler = { _ in .cancelled(reason: "") } },
      { host.selfieCapture.permissionState = .denied },
      { host.selfieCapture.isEnabled = false },
      { host.registerCustomCapability("nfc.read") { _, _ in } },
      { host.apply(GBGDeclarations(capabilities: ["pin": .init(info: BridgeCapabilityInfo(supported: false))])) },
    ]
    for change in changes {
      change()
      let answer = queriedCapabilities(of: host)
      #expect(answer != answers.last)
      answers.append(answer)
    }
  }

  @Test func `a query of a host with a configuration reports changed capabilities`() {
    let host = BridgeHost(configuration: BridgeConfiguration(hostVersion: "1", capabilities: [:]))
    host.attach(webView: webView)
    #expect(queriedCapabilities(of: host) == [:])
    host.capabilities["a"] = true
    #expect(queriedCapabilities(of: host) == ["a": ["supported": true, "version": "1.0"]])
  }

  @Test func `each query reports the slots as they are at that time`() {
    host.documentCapture.handler = { _ in .cancelled(reason: "") }
    host.documentCapture.permissionState = .granted
    #expect(
      queriedCapabilities(of: host) == [
        "camera.document": ["supported": true, "version": "1.0", "permissionState": "granted"],
        "camera.selfie": ["supported": false, "version": nil],
      ]
    )
    host.documentCapture.isEnabled = false
    #expect(queriedCapabilities(of: host)?["camera.document"] == ["supported": false, "version": nil])
  }

  @Test func `a host with a configuration does not report its slots, but routes requests to them`() async {
    let host = BridgeHost(configuration: BridgeConfiguration(hostVersion: "1", capabilities: [:]))
    host.attach(webView: webView)
    host.documentCapture.handler = { _ in .cancelled(reason: "User dismissed") }
    #expect(queriedCapabilities(of: host) == [:])
    host.receive(.make(correlationId: "d", action: "camera.document.capture"))
    await webView.delivered(2)
    #expect(webView.messages.last?.payload.status == .cancelled)
  }

  @Test(arguments: ["camera.document", "camera.document.capture"])
  func `a query reports a slot instead of a custom capability of its name`(id: String) {
    host.registerCustomCapability(id, version: "9") { _, _ in }
    host.documentCapture.handler = { _ in .cancelled(reason: "") }
    let capabilities = queriedCapabilities(of: host)
    #expect(capabilities?["camera.document"]?["version"] == "1.0")
    #expect(capabilities?["camera.document.capture"] == nil)
  }

  @Test func `a custom capability replaces a slot without a handler`() async {
    host.registerCustomCapability("camera.document", version: "9") { _, _ in }
    host.registerCustomCapability("camera.document.capture") { _, responder in
      responder.respond(status: .success, data: ["by": "custom"], error: nil)
    }
    #expect(queriedCapabilities(of: host)?["camera.document"] == ["supported": true, "version": "9"])
    host.receive(.make(action: "camera.document.capture"))
    await webView.delivered(2)
    #expect(webView.messages.last?.payload.data == ["by": "custom"])
  }

  @Test func `a slot with a handler gets its requests before a custom capability`() async {
    host.registerCustomCapability("camera.selfie.capture") { _, responder in
      responder.respond(status: .success, data: ["by": "custom"], error: nil)
    }
    host.selfieCapture.handler = { _ in .cancelled(reason: "by slot") }
    host.receive(.make(action: "camera.selfie.capture"))
    await webView.delivered(1)
    #expect(webView.messages.first?.payload.data == ["reason": "by slot"])
  }

  @Test func `a request to a slot without a handler stays pending`() {
    host.receive(.make(correlationId: "d", action: "camera.document.capture"))
    #expect(host.pendingRequests.map(\.correlationId) == ["d"])
    #expect(webView.messages.isEmpty)
  }

  @Test func `a request to a disabled slot is answered as unsupported`() {
    host.documentCapture.handler = { _ in .cancelled(reason: "") }
    host.documentCapture.isEnabled = false
    host.receive(.make(action: "camera.document.capture"))
    #expect(webView.messages.map(\.payload.status) == [.unsupported])
    #expect(host.pendingRequests.isEmpty)
    #expect(host.documentCapture.activeRequest?.id == nil)
  }
}
