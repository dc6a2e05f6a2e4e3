import BridgeCore
import BridgeRuntime
import Foundation
import Testing

@Suite @BridgeActor struct SheetCaptureTests {
  let webView = RecordingWebView()
  let host = BridgeHost(hostVersion: "1", clock: ManualBridgeClock(), random: BridgeRandom(seed: 1))
  let presenter = AnsweringPresenter()
  let capture: SheetCapture

  init() {
    host.attach(webView: webView)
    capture = SheetCapture(presenter: presenter, random: BridgeRandom(seed: 2))
    capture.configure(host: host)
  }

  private func answer(
    to action: String = "camera.document.capture",
    data: [String: JSONValue]? = nil
  ) async throws -> BridgePayload {
    host.receive(.make(action: action, data: data))
    await webView.delivered(webView.messages.count + 1)
    return try #require(webView.messages.last).payload
  }

  @Test func `a host with SheetCapture supports both slots`() {
    #expect(host.documentCapture.isSupported)
    #expect(host.selfieCapture.isSupported)
  }

  @Test func `the capture sheet shows the document type and side of the request`() async throws {
    _ = try await answer(data: ["documentType": "passport", "side": "front", "other": "x"])
    _ = try await answer(data: ["documentType": 1, "side": nil])
    _ = try await answer(to: "camera.selfie.capture")
    #expect(presenter.sheets.map(\.kind) == ["capture", "capture", "capture"])
    #expect(
      presenter.sheets.map(\.content) == [
        ["capability": "document", "documentType": "passport", "side": "front"], ["capability": "document"],
        ["capability": "selfie"],
      ]
    )
    #expect(Set(presenter.sheets.map(\.id)).count == 3)
  }

  @Test func `the image of the sheet's answer is the captured document`() async throws {
    presenter.answer = .approve(CaptureImageTests.fields)
    let payload = try await answer()
    #expect(payload.status == .success)
    #expect(payload.data == CaptureImageTests.fields)
  }

  @Test func `both blobs of a selfie are the bytes of its image`() async throws {
    presenter.answer = .approve(CaptureImageTests.fields)
    let data = try #require(try await answer(to: "camera.selfie.capture").data)
    #expect(data["encryptedBlobBase64"] == "AQID")
    #expect(data["unencryptedBlobBase64"] == "AQID")
    #expect(data["imageBase64"] == "AQID")
  }

  @Test func `dismissing the sheet cancels the capture`() async throws {
    presenter.answer = .cancel
    let payload = try await answer()
    #expect(payload.status == .cancelled)
    #expect(payload.data == ["reason": "User dismissed"])
  }

  @Test func `the error of the sheet's answer is sent to the page`() async throws {
    presenter.answer = .approve(["error": ["code": "CAMERA_DENIED", "message": "No camera.", "recoverable": false]])
    let payload = try await answer()
    #expect(payload.status == .error)
    #expect(payload.error == BridgeErrorPayload(code: "CAMERA_DENIED", message: "No camera.", recoverable: false))
  }

  @Test(
    arguments: [
      ["error": "no"], ["error": ["code": "A", "message": "b"]], ["imageBase64": "?"], ["imageBase64": 1],
      ["imageBase64": "AQID"],
    ] as [[String: JSONValue]])
  func `an invalid answer fails the capture with a recoverable error`(
    fields: [String: JSONValue]
  ) async throws {
    presenter.answer = .approve(fields)
    let error = try await answer().error
    #expect(error?.code == "CAPTURE_FAILED")
    #expect(error?.recoverable == true)
    presenter.answer = .approve(CaptureImageTests.fields)
    #expect(try await answer().status == .success)
  }

  @Test func `approving the sheet without an image captures a sample`() async throws {
    let document = try #require(try await answer().data)
    #expect(document["imageBase64"]?.stringValue == CaptureImage.sampleDocument.data.base64EncodedString())
    #expect(document["imageWidth"] == 640)
    #expect(document["mimeType"] == "image/png")
    let selfie = try #require(try await answer(to: "camera.selfie.capture").data)
    #expect(selfie["imageBase64"] == selfie["encryptedBlobBase64"])
    #expect(selfie["mimeType"] == "image/jpeg")
  }

  @Test func `approving the sheet without an image gives the configured stand-in`() async throws {
    capture.standIns[.document] = .failed(code: "CAMERA_DENIED", message: "No.", recoverable: true)
    #expect(try await answer().error?.code == "CAMERA_DENIED")
    #expect(try await answer(to: "camera.selfie.capture").status == .success)
  }

  @Test func `detaching the page dismisses its capture sheet`() async {
    presenter.answer = nil
    host.receive(.make(action: "camera.document.capture"))
    await presenter.presented.wait()
    host.detach()
    await presenter.dismissed.wait()
    #expect(webView.messages.isEmpty)
  }
}

/// Answers every sheet at once; without an answer, waits until the task is cancelled.
@BridgeActor final class AnsweringPresenter: SheetPresenter {
  var answer: SheetAnswer? = .approve()
  private(set) var sheets: [Sheet] = []
  let presented = Signal()
  let dismissed = Signal()

  func present(_ sheet: Sheet) async -> SheetAnswer {
    sheets.append(sheet)
    presented.fire()
    if let answer { return answer }
    await Signal().wait()
    dismissed.fire()
    return .cancel
  }
}
