/// The error codes that the web side of GBGBridge knows (its documentation, "BridgeErrorCode"). Native codes may be any other text.
enum GBGErrorCode: String, CaseIterable {
  case unsupported = "UNSUPPORTED"
  case permissionDenied = "PERMISSION_DENIED"
  case cancelled = "CANCELLED"
  case timeout = "TIMEOUT"
  case busy = "BUSY"
  case invalidRequest = "INVALID_REQUEST"
  case internalError = "INTERNAL_ERROR"
  case versionMismatch = "VERSION_MISMATCH"

  /// Whether another attempt may succeed.
  var isRecoverable: Bool {
    switch self {
    case .permissionDenied, .cancelled, .timeout, .busy: true
    case .unsupported, .invalidRequest, .internalError, .versionMismatch: false
    }
  }
}
