import GBGBridge
import Testing

/// Host code in the shape of the reference's examples, as an app for iOS would have it: nothing in it says that this is not iOS.
@Suite @MainActor struct ReferenceExampleTests {
  @Test func `the example of a slot handler that waits for its view works`() async {
    let host = BridgeHost(hostVersion: "1.0.0")
    let fixture = Fixture(host)
    host.documentCapture.handler = { [weak host] request in
      guard let host else { return .cancelled(reason: "Host deallocated") }
      return await host.documentCapture.awaitCompletion()
    }
    fixture.request("camera.document.capture")
    #expect(host.documentCapture.activeRequest != nil)

    let imageData = Data([0xFF])
    host.documentCapture.complete(.document(DocumentCaptureResult(imageData: imageData, width: 1920, height: 1080)))
    let payload = await fixture.webView.payload(1)
    #expect(
      payload.data == [
        "imageBase64": "/w==", "imageWidth": 1920, "imageHeight": 1080, "mimeType": "image/png",
      ]
    )
  }

  @Test func `the example of a slot handler that returns the completion works`() async {
    let host = BridgeHost(hostVersion: "1.0.0")
    let fixture = Fixture(host)
    host.documentCapture.handler = { request in
      return await host.documentCapture.awaitCompletion()
    }
    fixture.request("camera.document.capture")
    host.documentCapture.complete(.cancelled(reason: "User dismissed"))
    #expect(await fixture.webView.payload(1).status == .cancelled)
    host.documentCapture.handler = nil
  }

  @Test func `the example of a host with a configuration works`() {
    let host = BridgeHost(
      configuration: BridgeConfiguration(
        hostVersion: "1.0.0",
        capabilities: [
          "camera.capture": BridgeCapabilityInfo(supported: true, version: "1.0")
        ]
      )
    )
    #expect(host.capabilities == ["camera.capture": true])
  }

  @Test func `the example of a handler of an action works`() async {
    let fixture = Fixture()
    fixture.host.register(handler: DocumentCaptureHandler())
    fixture.request("camera.document.capture")
    #expect(await fixture.webView.payload(1).data == ["imageBase64": "AQ=="])
  }

  @Test func `the example of a custom capability works`() async {
    let fixture = Fixture()
    fixture.host.registerCustomCapability("nfc.read", version: "1.0") { request, responder in
      responder.respond(status: .success, data: ["chipRead": .bool(true)], error: nil)
    }
    fixture.request("nfc.read")
    #expect(await fixture.webView.payload(1).data == ["chipRead": true])
  }

  @Test func `the example of sending an event and answering pending requests works`() async {
    let fixture = Fixture()
    let host = fixture.host
    host.send(
      event: "host.ready",
      data: [
        "timestamp": .number(Date().timeIntervalSince1970)
      ]
    )
    fixture.request("camera.capture")
    for request in host.pendingRequests {
      host.respond(to: request.correlationId, status: .success, data: ["imagePath": .string("/tmp/capture.jpg")])
    }
    #expect(await fixture.webView.payload(2).action == "camera.capture")
  }

  @Test func `the examples of WKWebView and BridgeWebView work`() throws {
    let host = BridgeHost(hostVersion: "1.0.0")
    let webView = WKWebView(frame: .zero, configuration: WKWebViewConfiguration())
    BridgeWebViewConfigurator.configure(webView, host: host)

    let view = BridgeWebView(url: try #require(URL(string: "https://journey.example.com")), host: host)
    #expect(view.host === host)
  }

  @Test func `the example of setting the camera's permission on both slots works`() {
    let host = BridgeHost(hostVersion: "1.0.0")
    CameraDetector.$camera.withValue(CameraDetector.Result(hardwareAvailable: true, permissionState: .granted)) {
      let camera = CameraDetector.check()
      host.documentCapture.permissionState = camera.permissionState
      host.selfieCapture.permissionState = camera.permissionState
    }
    #expect(host.documentCapture.permissionState == .granted)
    #expect(host.selfieCapture.permissionState == .granted)
  }

  @Test func `the example of a payload with every kind of value works`() {
    let data: [String: JSONValue] = [
      "name": .string("John Doe"),
      "age": .number(30),
      "verified": .bool(true),
      "documents": .array([
        .object(["type": .string("passport"), "number": .string("AB123456")])
      ]),
      "metadata": .null,
    ]
    #expect(data["documents"]?.arrayValue?.first?["number"] == "AB123456")
  }
}

private final class DocumentCaptureHandler: BridgeCapabilityHandler, @unchecked Sendable {
  let action = "camera.document.capture"

  func handle(request: BridgeMessage, responder: BridgeResponder) async {
    let side = request.payload.data?["side"]
    do {
      let imageData = try await captureDocument(side)
      responder.respond(
        status: .success,
        data: ["imageBase64": .string(imageData.base64EncodedString())],
        error: nil
      )
    } catch {
      responder.respond(
        status: .error,
        data: nil,
        error: BridgeErrorPayload(
          code: "CAPTURE_FAILED",
          message: error.localizedDescription,
          recoverable: true
        )
      )
    }
  }

  private func captureDocument(_ side: JSONValue?) async throws -> Data {
    if side == .string("back") { throw CancellationError() }
    return Data([1])
  }
}
