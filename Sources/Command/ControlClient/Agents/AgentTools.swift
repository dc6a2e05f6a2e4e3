package import BridgeCore

/// The tools of `footbridge mcp`: one for each operation of the control API that has one answer.
package struct AgentTools: Sendable {
  private let table: OperationTable
  private let inputs: [String: Schema]

  /// Makes the tools of a table.
  package init(_ table: OperationTable) {
    self.table = table
    let operations = table.all.filter { $0.kind == .answer }
    inputs = Dictionary(operations.map { ($0.id, Self.input(of: $0, table)) }) { first, _ in first }
  }

  /// Whether there is a tool of this name.
  package func has(_ name: String) -> Bool { inputs[name] != nil }

  /// The tools, in the form of `tools/list`.
  package var list: JSONValue { .array(table.all.compactMap(tool)) }

  private func tool(_ operation: ControlOperation) -> JSONValue? {
    guard let input = inputs[operation.id] else { return nil }
    let details = operation.details.isEmpty ? "" : " \(operation.details)"
    var tool: [String: JSONValue] = [
      "name": .string(operation.id), "title": .string(operation.summary),
      "description": .string("\(operation.summary).\(details)"), "inputSchema": input.standalone,
      "annotations": [
        "title": .string(operation.summary), "readOnlyHint": .bool(operation.isReading),
        "destructiveHint": .bool(!operation.isReading && !operation.isCreating),
        "idempotentHint": .bool(["GET", "PUT", "PATCH", "DELETE"].contains(operation.method)),
        "openWorldHint": false,
      ],
    ]
    if let result = operation.result, case .object(var members) = result.standalone,
      result.types == ["object"]
    {
      members["type"] = "object"
      tool["outputSchema"] = .object(members)
    }
    return .object(tool)
  }

  /// The name of the argument that is the body.
  private static let body = "body"

  /// The schema of the arguments: the parameters, and the body.
  private static func input(of operation: ControlOperation, _ table: OperationTable) -> Schema {
    var properties: [String: JSONValue] = [:]
    var required: [JSONValue] = []
    for parameter in operation.parameters where parameter.place != .header {
      var schema = parameter.schema.value.objectValue ?? [:]
      let isSession = parameter.name == ControlOperation.session
      schema["description"] = .string(
        isSession ? "The session's id or name. Can be left out if only one session runs." : parameter.description)
      properties[parameter.name] = .object(schema)
      if parameter.isRequired, !isSession { required.append(.string(parameter.name)) }
    }
    if let schema = operation.body {
      properties[body] = schema.value
      if operation.needsBody { required.append(.string(body)) }
    }
    var schema: [String: JSONValue] = ["type": "object", "additionalProperties": false]
    if !properties.isEmpty { schema["properties"] = .object(properties) }
    if !required.isEmpty { schema["required"] = .array(required) }
    return table.schema(.object(schema))
  }

  /// Makes the request for a tool and its arguments. The session may be missing.
  ///
  /// - Throws: ``ArgumentProblem`` if the arguments do not match the schema.
  package func call(_ name: String, _ arguments: JSONValue) throws(ArgumentProblem) -> ControlCall {
    guard let operation = table[name], let schema = inputs[name] else {
      throw ArgumentProblem("There is no tool \(name).")
    }
    let problems = schema.problems(of: arguments)
    guard problems.isEmpty else {
      let sentences = problems.map { $0.path.isEmpty ? "The argument list \($0.message)." : $0.description }
      throw ArgumentProblem(sentences.joined(separator: " "))
    }
    var members = arguments.objectValue ?? [:]
    let body = members.removeValue(forKey: Self.body)
    return ControlCall(operation, members.mapValues { $0.stringValue ?? $0.jsonText }, body: body)
  }

  /// Makes the result of a tool from the answer to its request.
  package static func result(_ answer: JSONValue?) -> [String: JSONValue] {
    var result: [String: JSONValue] = [
      "content": [["type": "text", "text": .string(answer?.jsonText ?? "Done.")]], "isError": false,
    ]
    if let answer, answer.objectValue != nil { result["structuredContent"] = answer }
    return result
  }

  /// Makes the result of a failed tool. The model reads its text.
  package static func failure(_ reason: String) -> [String: JSONValue] {
    ["content": [["type": "text", "text": .string(reason)]], "isError": true]
  }
}
