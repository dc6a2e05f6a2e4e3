import GBGBridge
import Observation

extension ReferenceSymbol {
  static let capabilities: [ReferenceSymbol] = [
    ReferenceSymbol("CaptureCapability.init(id:actionId:version:)") {
      let slot: CaptureCapability & Observable = CaptureCapability(id: "a", actionId: "a.b", version: "2.0")
      return slot.version == "2.0" && CaptureCapability(id: "a", actionId: "a.b").version == nil
    },
    ReferenceSymbol("CaptureCapability.id") { makeSlot().id == "a" },
    ReferenceSymbol("CaptureCapability.actionId") { makeSlot().actionId == "a.b" },
    ReferenceSymbol("CaptureCapability.handler") {
      let slot = makeSlot()
      let handler: (@Sendable (BridgeMessage) async -> CaptureResult)? = { _ in .cancelled(reason: "") }
      slot.handler = handler
      return slot.handler != nil && slot.isSupported
    },
    ReferenceSymbol("CaptureCapability.isEnabled") {
      let slot = makeSlot()
      let isOnAtFirst: Bool = slot.isEnabled
      slot.isEnabled = false
      return isOnAtFirst && !slot.isEnabled
    },
    ReferenceSymbol("CaptureCapability.isSupported") { !makeSlot().isSupported },
    ReferenceSymbol("CaptureCapability.activeRequest") {
      let fixture = Fixture()
      let slot = fixture.host.documentCapture
      slot.handler = { _ in await slot.awaitCompletion() }
      fixture.request("camera.document.capture", correlationId: "d")
      let request: BridgeMessage? = slot.activeRequest
      return request?.correlationId == "d"
    },
    ReferenceSymbol("CaptureCapability.permissionState") {
      let slot = makeSlot()
      let first: PermissionState = slot.permissionState
      slot.permissionState = .granted
      return first == .notDetermined && slot.permissionState == .granted
    },
    ReferenceSymbol("CaptureCapability.version") {
      let slot = makeSlot()
      slot.version = "3.0"
      return makeSlot().version == nil && slot.buildCapabilityInfo().version == "3.0"
    },
    ReferenceSymbol("CaptureCapability.buildCapabilityInfo()") {
      let info: BridgeCapabilityInfo = makeSlot().buildCapabilityInfo()
      return !info.supported && info.version == nil
    },
    ReferenceSymbol("CaptureCapability.awaitCompletion()") {
      let fixture = Fixture()
      let slot = fixture.host.documentCapture
      slot.handler = { _ in await slot.awaitCompletion() }
      fixture.request("camera.document.capture")
      slot.complete(.cancelled(reason: "User dismissed"))
      return await fixture.webView.payload(1).status == .cancelled
    },
    ReferenceSymbol("CaptureCapability.complete(_:)") {
      let slot = makeSlot()
      slot.complete(.cancelled(reason: "for nobody"))
      return slot.activeRequest == nil
    },
    ReferenceSymbol("CaptureResult.document") {
      let result: CaptureResult = .document(DocumentCaptureResult(imageData: Data(), width: 1, height: 1))
      if case .document(let document) = result { return document.width == 1 } else { return false }
    },
    ReferenceSymbol("CaptureResult.selfie") {
      let selfie = SelfieCaptureResult(
        previewImageData: Data(),
        width: 1,
        height: 1,
        encryptedBlob: Data(),
        unencryptedBlob: Data()
      )
      if case .selfie(let selfie) = CaptureResult.selfie(selfie) { return selfie.width == 1 } else { return false }
    },
    ReferenceSymbol("CaptureResult.cancelled(reason:)") {
      if case .cancelled(reason: let reason) = CaptureResult.cancelled(reason: "a") { return reason == "a" }
      return false
    },
    ReferenceSymbol("CaptureResult.failed(code:message:recoverable:)") {
      let result = CaptureResult.failed(code: "A", message: "b", recoverable: true)
      if case .failed(code: let code, message: _, recoverable: true) = result {
        return code == "A"
      } else {
        return false
      }
    },
    ReferenceSymbol("CaptureResult: Sendable") {
      let result: any Sendable = CaptureResult.cancelled(reason: "")
      return result is CaptureResult
    },
    ReferenceSymbol("DocumentCaptureResult.init(imageData:width:height:mimeType:)") {
      let usual = DocumentCaptureResult(imageData: Data([1]), width: 1920, height: 1080)
      let other = DocumentCaptureResult(imageData: Data(), width: 1, height: 1, mimeType: "image/jpeg")
      return usual.mimeType == "image/png" && other.mimeType == "image/jpeg"
    },
    ReferenceSymbol("SelfieCaptureResult.init(previewImageData:width:height:mimeType:encryptedBlob:unencryptedBlob:)") {
      let usual = SelfieCaptureResult(
        previewImageData: Data(),
        width: 640,
        height: 480,
        encryptedBlob: Data([1]),
        unencryptedBlob: Data([2])
      )
      let other = SelfieCaptureResult(
        previewImageData: Data(),
        width: 640,
        height: 480,
        mimeType: "image/png",
        encryptedBlob: Data(),
        unencryptedBlob: Data()
      )
      return usual.mimeType == "image/jpeg" && other.mimeType == "image/png"
    },
    ReferenceSymbol("PermissionState.granted") { PermissionState.granted.rawValue == "granted" },
    ReferenceSymbol("PermissionState.denied") { PermissionState.denied.rawValue == "denied" },
    ReferenceSymbol("PermissionState.notDetermined") { PermissionState.notDetermined.rawValue == "notDetermined" },
    ReferenceSymbol("PermissionState.restricted") { PermissionState.restricted.rawValue == "restricted" },
    ReferenceSymbol("PermissionState.notApplicable") { PermissionState.notApplicable.rawValue == "notApplicable" },
    ReferenceSymbol("PermissionState: Codable") {
      let text = try JSONEncoder().encode([PermissionState.denied])
      return try JSONDecoder().decode([PermissionState].self, from: text) == [.denied]
    },
    ReferenceSymbol("CameraDetector.check()") {
      let found = CameraDetector.Result(hardwareAvailable: true, permissionState: .denied)
      return CameraDetector.$camera.withValue(found) { CameraDetector.check() == found }
    },
    ReferenceSymbol("CameraDetector.Result.hardwareAvailable") { !CameraDetector.check().hardwareAvailable },
    ReferenceSymbol("CameraDetector.Result.permissionState") {
      CameraDetector.check().permissionState == .notDetermined
    },
  ]

  @MainActor private static func makeSlot() -> CaptureCapability { CaptureCapability(id: "a", actionId: "a.b") }
}
