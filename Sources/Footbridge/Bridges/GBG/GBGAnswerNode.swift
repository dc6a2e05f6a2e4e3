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
