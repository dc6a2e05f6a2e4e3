import BridgeCore
import BridgeRuntime

/// Takes from the page what its browser says of the camera, so that the slots tell the browser's real permission.
@BridgeActor
final class CameraHandler: ImmediateBridgeCapabilityHandler {
  nonisolated let action = FootbridgeAction.camera
  private let page: Page
  private let gbg: GBGSession

  /// Creates the handler of `page`, whose slots tell what the browser says.
  init(_ page: Page, _ gbg: GBGSession) {
    self.page = page
    self.gbg = gbg
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) {
    let data = request.payload.data ?? [:]
    guard let hardwareAvailable = data["hardwareAvailable"]?.boolValue,
      let permissionState = data["permissionState"]?.stringValue.flatMap(PermissionState.init)
    else {
      let error = BridgeErrorPayload(
        code: "bridge.invalidArguments",
        message: "A report on the camera needs hardwareAvailable and permissionState.",
        recoverable: false
      )
      return responder.respond(status: .error, data: nil, error: error)
    }
    page.camera = CameraDetector.Result(hardwareAvailable: hardwareAvailable, permissionState: permissionState)
    if page.host.hasSlots { gbg.tellPermission(of: page) }
    responder.respond(status: .success, data: nil, error: nil)
  }
}
