package import BridgeCore
package import Sessions

/// Reads the answer to a message that a page has created itself: `{status?, data?, error?, delay?}`.
package struct BridgeAnswerNode {
  /// The status; `error` if there is an error and no status.
  package let status: BridgeResponseStatus
  /// The data.
  package let data: [String: JSONValue]?
  /// The error.
  package let error: BridgeErrorPayload?
  /// The time that the request waits for the answer.
  package let delay: Duration

  /// Reads an answer. Its delay is in milliseconds.
  package init(_ node: InputNode, hasDelay: Bool = true) throws(OptionError) {
    let members = try node.section(["status", "data", "error"] + (hasDelay ? ["delay"] : []))
    error = try members["error"].map { node throws(OptionError) in try Self.error(node) }
    status = try members["status"]?.choice(BridgeResponseStatus.self) ?? (error == nil ? .success : .error)
    if status == .error, error == nil {
      throw node.expected("given an error, with at least a code, together with the status error")
    }
    data = try members["data"]?.jsonMembers()
    delay = try members["delay"]?.delay() ?? .zero
  }

  /// Reads an error. `recoverable` has a default for the codes of the contract.
  package static func error(_ node: InputNode) throws(OptionError) -> BridgeErrorPayload {
    try node.bridgeError { BridgeErrorCode(rawValue: $0)?.isRecoverable ?? false }
  }
}

/// The error codes of the bridge's contract, which its web side knows ("BridgeErrorCode"). Native codes may be any other text.
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
  package var isRecoverable: Bool {
    switch self {
    case .permissionDenied, .cancelled, .timeout, .busy: true
    case .unsupported, .invalidRequest, .internalError, .versionMismatch: false
    }
  }
}
