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

  /// Whether requests of an action, given in UTF-8, are those of a slot. Lengths are compared first, which differ for most actions.
  static func have(_ action: UnsafeBufferPointer<UInt8>) -> Bool {
    switch action.count {
    case documentAction.utf8.count: action.elementsEqual(documentAction.utf8)
    case selfieAction.utf8.count: action.elementsEqual(selfieAction.utf8)
    default: false
    }
  }
}
