import BridgeRuntime

/// The two capture slots of a host.
@BridgeActor
struct CaptureSlots {
  static let documentAction = "camera.document.capture"
  static let selfieAction = "camera.selfie.capture"

  /// The slot of `camera.document`.
  let document = CaptureCapability(id: "camera.document", actionId: documentAction)
  /// The slot of `camera.selfie`.
  let selfie = CaptureCapability(id: "camera.selfie", actionId: selfieAction)

  /// Whether requests of an action are those of a slot. Lengths are compared first, which differ for most actions.
  static func have(_ action: String) -> Bool {
    switch action.utf8.count {
    case documentAction.utf8.count: action == documentAction
    case selfieAction.utf8.count: action == selfieAction
    default: false
    }
  }
}
