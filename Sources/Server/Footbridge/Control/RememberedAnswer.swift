import BridgeServer
import BridgeCore
import HTTPTypes

/// Converts an answer of the control API to bytes and back, in case its request is sent again.
enum RememberedAnswer {
  /// The bytes of an answer; nil for one that cannot be given twice.
  static func bytes(of answer: Result<ControlResponse, ControlProblem>) -> [UInt8]? {
    let members: [String: JSONValue]?
    switch answer {
    case .success(let response): members = self.members(of: response)
    case .failure(let problem): members = self.members(of: problem)
    }
    return members.map { Array(JSONValue.object($0).jsonText.utf8) }
  }

  /// The answer; nil if the bytes are not an answer.
  static func answer(_ bytes: [UInt8]) -> Result<ControlResponse, ControlProblem>? {
    guard let value = try? JSONValue(parsing: bytes), let status = value["status"]?.numberValue else { return nil }
    if let detail = value["detail"]?.stringValue {
      var fields = HTTPFields()
      for (name, field) in value["fields"]?.objectValue ?? [:] {
        if let name = HTTPField.Name(name) { fields[name] = field.stringValue }
      }
      return .failure(
        ControlProblem(
          status: HTTPResponse.Status(code: Int(status)), detail: detail, members: value["members"]?.objectValue ?? [:],
          fields: fields))
    }
    guard let content = value["content"] else { return .success(.noContent) }
    if let location = value["location"]?.stringValue { return .success(.created(content, location: location)) }
    return .success(.json(content))
  }

  private static func members(of response: ControlResponse) -> [String: JSONValue]? {
    switch response {
    case .json(let value): ["status": 200, "content": value]
    case .created(let value, let location): ["status": 201, "content": value, "location": .string(location)]
    case .noContent: ["status": 204]
    // These routes only read, or their answers have no end.
    case .lines, .answered: nil
    }
  }

  private static func members(of problem: ControlProblem) -> [String: JSONValue] {
    var fields: [String: JSONValue] = [:]
    for field in problem.fields { fields[field.name.canonicalName] = .string(field.value) }
    return [
      "status": .number(Double(problem.status.code)), "detail": .string(problem.detail),
      "members": .object(problem.members), "fields": .object(fields),
    ]
  }
}
