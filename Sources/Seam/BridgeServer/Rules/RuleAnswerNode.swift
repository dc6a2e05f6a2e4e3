import BridgeCore
public import Sessions

/// The answer of a rule: its `result`, `status` and `error`. The action decides which of them are possible.
public struct RuleAnswerNode {
  /// The result that the page gets, or the person's answer to a sheet.
  public let result: InputNode?
  /// The status of the answer to a message that the page has created itself.
  public let status: InputNode?
  /// The error that the page gets.
  public let error: InputNode?
  /// The mapping with these members.
  public let node: InputNode

  /// Reads the members of a rule's `then`.
  init(_ members: [String: InputNode], in node: InputNode) throws(OptionError) {
    (result, status, error) = (members["result"], members["status"], members["error"])
    self.node = node
    if result != nil, error != nil { throw node.expected("given a result or an error, not both") }
  }

  /// The answer of a rule for an action of `bridge`; nil if the rule has none.
  func answer(to action: RuleAction, of bridge: any BridgeDefinition) throws(OptionError) -> Outcome.Answer? {
    if let status, action.sheetKind != nil || bridge.messages.contains(.madeByShim) {
      throw status.expected("left out: only answers to messages that pages make themselves have one")
    }
    if let kind = action.sheetKind { return try sheetAnswer(to: kind, of: bridge) }
    guard let bridge = bridge as? any ConfigurableBridge else { return try usualAnswer() }
    return try bridge.readAnswer(self, to: action)
  }

  /// The usual answer: any JSON as the result (`value`), and `{code, message, recoverable}` or a code as the error.
  public func usualAnswer() throws(OptionError) -> Outcome.Answer? {
    if let error { return .response(.error, data: nil, error: try error.bridgeError()) }
    guard let result else { return nil }
    return .response(.success, data: ["value": try result.json()], error: nil)
  }

  /// The person's answer to a sheet of `bridge`; nil if the rule leaves the answer to the person.
  private func sheetAnswer(
    to kind: String, of bridge: any BridgeDefinition
  ) throws(OptionError) -> Outcome.Answer? {
    if let error { throw error.expected("left out: a person approves or cancels") }
    guard let result else { return nil }
    return .sheet(try SheetAnswerNode(result).answer(to: kind, of: bridge))
  }
}

extension InputNode {
  /// Reads an error: `{code, message?, recoverable?}`, or only its code.
  ///
  /// - Parameter isRecoverable: Returns the default of `recoverable` for a code.
  func bridgeError(isRecoverable: (_ code: String) -> Bool = { _ in false }) throws(OptionError) -> BridgeErrorPayload {
    let members = isMapping ? try section(["code", "message", "recoverable"]) : ["code": self]
    guard let code = try members["code"]?.text() else { throw expected("an error, with at least a code") }
    return BridgeErrorPayload(
      code: code,
      message: try members["message"]?.text() ?? code,
      recoverable: try members["recoverable"]?.bool() ?? isRecoverable(code)
    )
  }
}
