import BridgeCore
import BridgeRuntime
import Testing

@Suite @BridgeActor struct GBGDeclarationsTests {
  let clock = ManualBridgeClock()
  let webView = RecordingWebView()
  let host: BridgeHost

  init() {
    host = BridgeHost(hostVersion: "1", clock: clock, random: BridgeRandom(seed: 1))
    host.attach(webView: webView)
    host.documentCapture.handler = { _ in .cancelled(reason: "by slot") }
    host.selfieCapture.handler = { _ in .cancelled(reason: "by slot") }
  }

  private var capabilities: JSONValue? {
    host.receive(.make(correlationId: "q", action: "capability.query"))
    return webView.messages.last { $0.correlationId == "q" }?.payload.data?["capabilities"]
  }

  @Test func `a declared capability is reported by the query and answers as declared`() {
    let answer = GBGDeclarations.Answer(data: ["chipRead": true])
    let info = BridgeCapabilityInfo(supported: true, version: "2.0", permissionState: "granted")
    host.apply(GBGDeclarations(capabilities: ["nfc.read": .init(info: info, answer: answer)]))
    #expect(capabilities?["nfc.read"] == ["supported": true, "version": "2.0", "permissionState": "granted"])
    host.receive(.make(correlationId: "n", action: "nfc.read"))
    #expect(webView.messages.last?.correlationId == "n")
    #expect(webView.messages.last?.payload.status == .success)
    #expect(webView.messages.last?.payload.data == ["chipRead": true])
  }

  @Test func `a request to a capability without a declared answer stays pending`() {
    host.apply(GBGDeclarations(capabilities: ["nfc.read": .init()]))
    #expect(capabilities?["nfc.read"] == ["supported": true, "version": "1.0"])
    host.receive(.make(correlationId: "n", action: "nfc.read"))
    #expect(host.pendingRequests.map(\.correlationId) == ["n"])
  }

  @Test func `a declared error is sent as the answer`() {
    let error = BridgeErrorPayload(code: "NFC_UNAVAILABLE", message: "No chip.", recoverable: false)
    host.apply(GBGDeclarations(answers: ["nfc.read": .init(status: .error, error: error)]))
    host.receive(.make(action: "nfc.read"))
    #expect(webView.messages.map(\.payload.status) == [.error])
    #expect(webView.messages.first?.payload.error == error)
  }

  @Test func `a delayed answer is sent when the host's clock has passed the delay`() async {
    host.apply(GBGDeclarations(answers: ["slow": .init(delay: .seconds(60))]))
    host.receive(.make(action: "slow"))
    while clock.sleeperCount == 0 { await Task.yield() }
    #expect(webView.messages.isEmpty)
    clock.advance(by: .seconds(60))
    await webView.delivered(1)
    #expect(webView.messages.map(\.payload.status) == [.success])
  }

  @Test func `a declared answer replaces a slot's answer, but not its capability`() {
    host.documentCapture.permissionState = .granted
    host.apply(GBGDeclarations(answers: ["camera.document.capture": .init(data: ["by": "declaration"])]))
    host.receive(.make(action: "camera.document.capture"))
    #expect(webView.messages.first?.payload.data == ["by": "declaration"])
    #expect(
      capabilities?["camera.document"] == ["supported": true, "version": "1.0", "permissionState": "granted"]
    )
  }

  @Test func `an action declared as pending is not answered by a slot, a capability or an answer`() {
    host.apply(
      GBGDeclarations(
        capabilities: ["nfc.read": .init(answer: .init())],
        answers: ["pin.enter": .init()],
        pending: ["camera.selfie.capture", "nfc.read", "pin.enter"]
      ))
    for action in ["camera.selfie.capture", "nfc.read", "pin.enter"] { host.receive(.make(action: action)) }
    #expect(host.pendingRequests.map(\.payload.action) == ["camera.selfie.capture", "nfc.read", "pin.enter"])
    #expect(capabilities?["nfc.read"]?["supported"] == true)
    #expect(capabilities?["camera.selfie"]?["supported"] == true)
  }

  @Test func `a custom capability that is declared as pending stays in the query's answer`() {
    host.registerCustomCapability("nfc.read", version: "3") { _, _ in }
    host.apply(GBGDeclarations(pending: ["nfc.read"]))
    host.receive(.make(action: "nfc.read"))
    #expect(host.pendingRequests.count == 1)
    #expect(capabilities?["nfc.read"] == ["supported": true, "version": "3"])
  }

  @Test func `a capability with a slot's id sets up the slot`() {
    let denied = BridgeCapabilityInfo(supported: true, permissionState: "denied")
    host.apply(
      GBGDeclarations(
        capabilities: [
          "camera.document": .init(info: BridgeCapabilityInfo(supported: false)),
          "camera.selfie": .init(info: denied, answer: .init(status: .unsupported)),
        ]
      ))
    #expect(
      capabilities == [
        "camera.document": ["supported": false, "version": nil],
        "camera.selfie": ["supported": true, "version": "1.0", "permissionState": "denied"],
      ]
    )
    host.receive(.make(correlationId: "s", action: "camera.selfie.capture"))
    #expect(webView.messages.last?.payload.status == .unsupported)
  }

  @Test func `a declared answer replaces the answer to capability.query`() {
    host.apply(GBGDeclarations(answers: ["capability.query": .init(data: ["environment": "android"])]))
    host.receive(.make(action: "capability.query"))
    #expect(webView.messages.map(\.payload.data) == [["environment": "android"]])
  }

  @Test func `a capability registered after the declarations replaces the declared one`() async {
    host.apply(GBGDeclarations(capabilities: ["nfc.read": .init(answer: .init())], answers: ["nfc.read": .init()]))
    host.registerCustomCapability("nfc.read", version: "4") { _, responder in
      responder.respond(status: .success, data: ["by": "code"], error: nil)
    }
    host.receive(.make(action: "nfc.read"))
    await webView.delivered(1)
    #expect(webView.messages.first?.payload.data == ["by": "code"])
  }
}
