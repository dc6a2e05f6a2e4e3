import BridgeCore
import BridgeRuntime

/// Receives what a page's browser reports about its camera, so that the slots report the browser's real permission.
@BridgeActor
final class CameraReports: PageBridge {
  /// Page to host: whether the browser has a camera, and whether the page may use it.
  private static let action: StaticString = "footbridge.camera"

  private let page: any BridgePage
  private let gbg: GBGSession

  /// Creates the part of `page` whose slots use the browser's report.
  init(_ page: any BridgePage, _ gbg: GBGSession) {
    self.page = page
    self.gbg = gbg
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    guard request.hasAction(withPrefix: Self.action) else { return false }
    let data = request.payload.data ?? [:]
    guard let hardwareAvailable = data["hardwareAvailable"]?.boolValue,
      let permissionState = data["permissionState"]?.stringValue.flatMap(PermissionState.init)
    else {
      let error = BridgeErrorPayload(
        code: "bridge.invalidArguments",
        message: "A report on the camera needs hardwareAvailable and permissionState.",
        recoverable: false
      )
      responder.respond(status: .error, data: nil, error: error)
      return true
    }
    page.camera = CameraDetector.Result(hardwareAvailable: hardwareAvailable, permissionState: permissionState)
    if page.host.hasSlots { gbg.tellPermission(of: page) }
    responder.respond(status: .success, data: nil, error: nil)
    return true
  }
}
