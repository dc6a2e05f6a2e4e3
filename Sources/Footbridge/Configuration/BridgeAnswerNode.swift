import BridgeCore

/// Reads an answer: `{status?, data?, error?, delay?}`.
struct BridgeAnswerNode {
  /// The answer.
  let answer: GBGDeclarations.Answer

  /// Reads an answer. The delay is in milliseconds.
  init(_ node: InputNode, hasDelay: Bool = true) throws(OptionError) {
    let members = try node.section(["status", "data", "error"] + (hasDelay ? ["delay"] : []))
    var answer = GBGDeclarations.Answer()
    answer.error = try members["error"].map { node throws(OptionError) in try Self.error(node) }
    if answer.error != nil { answer.status = .error }
    if let status = members["status"] { answer.status = try status.choice(BridgeResponseStatus.self) }
    if answer.status == .error, answer.error == nil {
      throw node.expected("given an error, with at least a code, together with the status error")
    }
    answer.data = try members["data"]?.jsonMembers()
    answer.delay = try members["delay"]?.delay() ?? .zero
    self.answer = answer
  }

  /// Reads an error. `recoverable` has a default for the codes of the contract.
  static func error(_ node: InputNode) throws(OptionError) -> BridgeErrorPayload {
    try node.bridgeError { BridgeErrorCode(rawValue: $0)?.isRecoverable ?? false }
  }
}

/// The error codes that the web side of GBGBridge knows (its documentation, "BridgeErrorCode"). Native codes may be any other text.
enum BridgeErrorCode: String, CaseIterable {
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
