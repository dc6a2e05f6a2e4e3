import BridgeCore

/// Reads an answer: `{status?, data?, error?, delay?}`.
struct GBGAnswerNode {
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
    answer.delay = .milliseconds(try members["delay"]?.integer(in: 0...3_600_000) ?? 0)
    self.answer = answer
  }

  /// Reads an error. `recoverable` has a default for the codes of the contract.
  static func error(_ node: InputNode) throws(OptionError) -> BridgeErrorPayload {
    try node.bridgeError { GBGErrorCode(rawValue: $0)?.isRecoverable ?? false }
  }
}

/// Reads the result of an approved capture: `imageBase64`, with `imageWidth`, `imageHeight` and `mimeType` if the image does not contain
/// them; or `error`; or nothing for the sample.
struct CaptureAnswerNode {
  /// The fields of the sheet's answer, which are valid.
  let fields: [String: JSONValue]

  /// Reads the fields. Throws for an invalid image or error.
  init(_ node: InputNode) throws(OptionError) {
    let members = try node.section(["imageBase64", "imageWidth", "imageHeight", "mimeType", "error"])
    if let error = members["error"] {
      guard members.count == 1 else { throw node.expected("an image or an error, and not both") }
      let error = try GBGAnswerNode.error(error)
      fields = [
        "error": [
          "code": .string(error.code), "message": .string(error.message), "recoverable": .bool(error.recoverable),
        ]
      ]
      return
    }
    fields = try node.jsonMembers()
    if fields.isEmpty { return }
    do {
      _ = try CaptureImage(fields: fields)
    } catch {
      throw OptionError("\(node.place): \(error)")
    }
  }
}

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
