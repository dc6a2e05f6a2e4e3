import BridgeCore
import BridgeRuntime
import Sessions

/// GBGBridge's part of one page. It receives the browser's report about its camera, so that the slots have the browser's real permission. And
/// it applies the linter's rules.
@BridgeActor
final class GBGPage: PageBridge {
  /// Page to host: whether the browser has a camera, and whether the page may use it.
  private static let action: StaticString = "footbridge.camera"

  private let page: any BridgePage
  private let gbg: GBGSession
  private var captures = CapturesWithoutQuery()
  private var envelopes = EnvelopeCheck()

  /// Creates the part of `page`.
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

  // MARK: The linter

  func received(_ event: PageEvent) {
    guard case .posted(let message, let call, let repeatsID) = event else { return }
    if let problem = envelopes.problem(timestamp: message.timestamp, repeatsID: repeatsID) {
      gbg.report(LintFinding("L24", page: page.id, call: call, "\(message.action.prefix(80)): \(problem)"))
    }
    guard message.type == .request else { return }
    if message.hasAction(withPrefix: "camera.") {
      guard let slot = page.host.slots.first(where: { $0.actionId == message.action }) else { return }
      if let problem = captures.problem(of: slot.id, isSupported: slot.isSupported) {
        gbg.report(LintFinding("L25", page: page.id, call: call, problem))
      }
    } else if message.hasAction(withPrefix: "capability.query") {
      captures.queried()
    }
  }
}
