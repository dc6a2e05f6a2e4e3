import BridgeCore
import BridgeRuntime
import Foundation
import Testing

@Suite @BridgeActor struct CaptureCapabilityTests {
  let webView = RecordingWebView()
  let host = BridgeHost(hostVersion: "1.0.0", clock: ManualBridgeClock(), random: BridgeRandom(seed: 1))
  var slot: CaptureCapability { host.documentCapture }
  let image = CaptureResult.document(DocumentCaptureResult(imageData: Data([1, 2, 3]), width: 1920, height: 1080))

  init() {
    host.attach(webView: webView)
  }

  /// Gives `slot` a handler that waits for its completion; fires the signal when it does.
  private func letWait(_ slot: CaptureCapability) -> Signal<Void> {
    let signal = Signal()
    slot.handler = { @BridgeActor _ in
      signal.fire()
      return await slot.awaitCompletion()
    }
    return signal
  }

  private func request(_ correlationId: String, _ action: String = "camera.document.capture") {
    host.receive(.make(correlationId: correlationId, action: action))
  }

  // MARK: Declaring support

  @Test func `setting a handler declares support`() {
    #expect(!slot.isSupported)
    #expect(slot.buildCapabilityInfo() == BridgeCapabilityInfo(supported: false))
    slot.handler = { _ in .cancelled(reason: "") }
    #expect(slot.isSupported)
    #expect(
      slot.buildCapabilityInfo()
        == BridgeCapabilityInfo(supported: true, version: "1.0", permissionState: "notDetermined")
    )
    slot.handler = nil
    #expect(!slot.isSupported)
  }

  @Test func `a slot that is not enabled is not supported, even with a handler`() {
    slot.handler = { _ in .cancelled(reason: "") }
    slot.isEnabled = false
    #expect(!slot.isSupported)
    #expect(slot.buildCapabilityInfo() == BridgeCapabilityInfo(supported: false))
  }

  @Test func `a slot with a version of its own reports that version instead of 1.0`() {
    let slot = CaptureCapability(id: "camera.tilt", actionId: "camera.tilt.capture", version: "2.5")
    slot.handler = { _ in .cancelled(reason: "") }
    slot.permissionState = .granted
    #expect(
      slot.buildCapabilityInfo()
        == BridgeCapabilityInfo(supported: true, version: "2.5", permissionState: "granted")
    )
  }

  // MARK: Results on the wire

  @Test func `a document is answered with its image, size and type`() async {
    slot.handler = { [image] _ in image }
    request("d")
    await webView.delivered(1)
    #expect(webView.messages.map(\.payload.status) == [.success])
    #expect(
      webView.messages.first?.payload.data == [
        "imageBase64": "AQID", "imageWidth": 1920, "imageHeight": 1080, "mimeType": "image/png",
      ]
    )
    #expect(webView.messages.first?.correlationId == "d")
    #expect(webView.messages.first?.payload.action == "camera.document.capture")
  }

  @Test func `a selfie is answered with its preview and both blobs`() async {
    host.selfieCapture.handler = { _ in
      .selfie(
        SelfieCaptureResult(
          previewImageData: Data([1]),
          width: 640,
          height: 480,
          encryptedBlob: Data([2]),
          unencryptedBlob: Data([3])
        )
      )
    }
    request("s", "camera.selfie.capture")
    await webView.delivered(1)
    #expect(webView.messages.map(\.payload.status) == [.success])
    #expect(
      webView.messages.first?.payload.data == [
        "imageBase64": "AQ==", "imageWidth": 640, "imageHeight": 480, "mimeType": "image/jpeg",
        "encryptedBlobBase64": "Ag==", "unencryptedBlobBase64": "Aw==",
      ]
    )
  }

  @Test func `a cancellation is answered with its status and no error`() async {
    slot.handler = { _ in .cancelled(reason: "User dismissed") }
    request("d")
    await webView.delivered(1)
    #expect(webView.messages.map(\.payload.status) == [.cancelled])
    #expect(webView.messages.first?.payload.data == ["reason": "User dismissed"])
    #expect(webView.messages.first?.payload.error == nil)
  }

  @Test func `a failure is answered with an error`() async {
    slot.handler = { _ in .failed(code: "CAMERA_DENIED", message: "No.", recoverable: false) }
    request("d")
    await webView.delivered(1)
    #expect(webView.messages.map(\.payload.status) == [.error])
    #expect(
      webView.messages.first?.payload.error
        == BridgeErrorPayload(code: "CAMERA_DENIED", message: "No.", recoverable: false)
    )
  }

  // MARK: In flight

  @Test func `a request during another one is answered with BUSY`() async {
    let waits = letWait(slot)
    request("first")
    #expect(slot.activeRequest?.correlationId == "first")
    request("second")
    #expect(webView.messages.map(\.correlationId) == ["second"])
    #expect(webView.messages.first?.payload.status == .error)
    #expect(webView.messages.first?.payload.error?.code == "BUSY")
    #expect(webView.messages.first?.payload.error?.recoverable == true)
    await waits.wait()
    slot.complete(image)
    await webView.delivered(2)
    #expect(webView.messages.last?.correlationId == "first")
    #expect(webView.messages.last?.payload.status == .success)
    #expect(slot.activeRequest?.id == nil)
  }

  @Test func `a request in flight at one slot does not make the other slot busy`() {
    _ = letWait(slot)
    _ = letWait(host.selfieCapture)
    request("d")
    request("s", "camera.selfie.capture")
    #expect(webView.messages.isEmpty)
    #expect(host.selfieCapture.activeRequest?.correlationId == "s")
  }

  @Test func `a completion may come before the handler waits`() async {
    _ = letWait(slot)
    request("d")
    slot.complete(image)
    slot.complete(.cancelled(reason: "too late"))
    await webView.delivered(1)
    #expect(webView.messages.map(\.payload.status) == [.success])
  }

  @Test func `the first of two completions answers the request`() async {
    let waits = letWait(slot)
    request("d")
    await waits.wait()
    slot.complete(image)
    slot.complete(.cancelled(reason: "dismissed after capture"))
    await webView.delivered(1)
    #expect(webView.messages.map(\.payload.status) == [.success])
  }

  @Test func `a completion without a request does not answer the next request`() async {
    slot.complete(.cancelled(reason: "for nobody"))
    let waits = letWait(slot)
    request("d")
    await waits.wait()
    slot.complete(image)
    await webView.delivered(1)
    #expect(webView.messages.map(\.payload.status) == [.success])
  }

  @Test func `awaitCompletion waits for a completion without a request`() async {
    async let result = slot.awaitCompletion()
    let waits = Signal()
    Task { @BridgeActor in waits.fire() }
    await waits.wait()
    slot.complete(image)
    #expect(await result == image)
  }

  @Test func `awaitCompletion of a cancelled task returns cancelled`() async {
    let waits = Signal()
    let task = Task { @BridgeActor in
      waits.fire()
      return await slot.awaitCompletion()
    }
    await waits.wait()
    task.cancel()
    guard case .cancelled = await task.value else {
      Issue.record("The wait did not end.")
      return
    }
  }

  // MARK: When the page goes

  @Test func `a capture ends when its page is detached, and the slot takes the next request`() async {
    let ended = Signal()
    slot.handler = { @BridgeActor [slot] _ in
      let result = await slot.awaitCompletion()
      ended.fire()
      return result
    }
    request("old")
    host.detach()
    #expect(slot.activeRequest?.id == nil)
    await ended.wait()
    host.attach(webView: webView)
    slot.handler = { [image] _ in image }
    request("new")
    await webView.delivered(1)
    #expect(webView.messages.map(\.correlationId) == ["new"])
  }

  @Test func `detaching the page cancels the waiting handler and its task`() async throws {
    let waits = Signal()
    let outcome = Signal(of: (result: CaptureResult, isCancelled: Bool).self)
    slot.handler = { @BridgeActor [slot] _ in
      waits.fire()
      let result = await slot.awaitCompletion()
      outcome.fire((result, Task.isCancelled))
      return result
    }
    request("old")
    await waits.wait()
    host.detach()
    let (result, isCancelled) = try #require(await outcome.wait())
    #expect(result == .cancelled(reason: "The capture has ended."))
    #expect(isCancelled)
    #expect(webView.messages.isEmpty)
  }

  @Test func `a handler of a detached page does not get the next capture's result`() async {
    let gate = Signal()
    let reached = Signal()
    let late = Signal(of: CaptureResult.self)
    slot.handler = { @BridgeActor [slot] _ in
      reached.fire()
      await Task { await gate.wait() }.value
      let result = await slot.awaitCompletion()
      late.fire(result)
      return result
    }
    request("old")
    await reached.wait()
    host.detach()
    host.attach(webView: webView)
    let waits = letWait(slot)
    request("new")
    await waits.wait()
    gate.fire()
    #expect(await late.wait() == .cancelled(reason: "The capture has ended."))
    slot.complete(image)
    await webView.delivered(1)
    #expect(webView.messages.map(\.correlationId) == ["new"])
    #expect(webView.messages.map(\.payload.status) == [.success])
  }
}
