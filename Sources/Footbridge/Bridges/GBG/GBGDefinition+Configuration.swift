public import BridgeCore

extension GBGDefinition: ConfigurableBridge {
  /// Reads its section of `footbridge.yaml`.
  public mutating func read(_ section: InputNode) throws(OptionError) {
    configuration = try GBGSection(section).configuration
  }

  /// Reads what a capture has given.
  public func readSheetFields(
    _ fields: InputNode, of kind: String, _ sheet: Sheet?
  ) throws(OptionError) -> [String: JSONValue] {
    try CaptureAnswerNode(fields).fields
  }

  /// Reads the answer of a rule.
  public func readAnswer(_ answer: RuleAnswerNode, to action: RuleAction) throws(OptionError) -> Outcome.Answer? {
    let (result, status, error) = (answer.result, answer.status, answer.error)
    if result == nil, status == nil, error == nil { return nil }
    let payload = try error.map { node throws(OptionError) in try GBGAnswerNode.error(node) }
    let value = try status?.choice(BridgeResponseStatus.self) ?? (payload == nil ? .success : .error)
    if let status, (value == .error) != (payload != nil) {
      throw status.expected("error if there is an error, and must not be error otherwise")
    }
    let data = try result.flatMap { node throws(OptionError) in node.isNull ? nil : try node.jsonMembers() }
    return .response(value, data: data, error: payload)
  }
}
