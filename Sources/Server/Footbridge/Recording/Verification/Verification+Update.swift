import BridgeCore
import Sessions

extension Verification {
  /// The lines of the recorder's transcript, with what native says now where that differs. Secrets stay out.
  ///
  /// - Parameter text: The transcript that was compared.
  package func updated(_ text: [UInt8]) -> [UInt8] {
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    var replaced: [Int: [[UInt8]]] = [:]
    for each in cases where !each.differences.isEmpty {
      let own = each.recorded.map(\.line)
      for line in own { replaced[line] = [] }
      // What an unchanged step has said stays as it is, with its times and ids.
      var rest = each.recorded
      let new = each.played.map { step -> [UInt8] in
        if let index = rest.firstIndex(where: { $0.step == step }) { return lines[rest.remove(at: index).line - 1] }
        return Array(step.inForm(of: delivery).line(number: each.number).jsonText.utf8)
      }
      replaced[own.first ?? -each.line, default: []] += new
    }
    for (line, new) in replaced.sorted(by: { abs($0.key) > abs($1.key) }) {
      if line > 0 {
        lines.replaceSubrange(line - 1..<line, with: new)
      } else {
        lines.insert(contentsOf: new, at: -line)
      }
    }
    return Array(lines.joined(separator: [0x0A]))
  }
}

extension Transcript.Step {
  /// An envelope as the transcript has envelopes, or the step itself.
  fileprivate func inForm(of delivery: Transcript.Step?) -> Transcript.Step {
    guard case .event("message", let envelope?) = self, envelope["correlationId"] != nil else { return self }
    switch delivery {
    case .call(let path, let arguments):
      let isText = arguments.arrayValue?.first?.stringValue != nil
      return .call(path, [isText ? .string(envelope.jsonText) : envelope])
    case .event(let name, let detail):
      return .event(name, detail?.stringValue == nil ? envelope : .string(envelope.jsonText))
    case .reply, .error, .dispatch, .set, nil: return self
    }
  }

  /// The step as a line of the recorder.
  fileprivate func line(number: Double?) -> JSONValue {
    var members: [String: JSONValue] = [:]
    switch self {
    case .reply(let value):
      members["message"] = number.map { .number($0) }
      members["reply"] = value
    case .error(let value):
      members["message"] = number.map { .number($0) }
      members["error"] = value
    case .call(let path, let arguments):
      members = ["call": Self.line(path), "args": arguments]
    case .event(let name, let detail):
      members["event"] = .string(name)
      members["detail"] = detail
    case .dispatch(let name, let form, let values):
      members = ["event": .string(name), "kind": .string(form.kind), "init": values]
      members["on"] = .string(form.target.joined(separator: "."))
    case .set(let path, let value):
      members["set"] = Self.line(path)
      members["value"] = value
    }
    return .object(JournalMarks(secrets: []).withMarkedSecrets(members))
  }

  /// A path in a line: a text, or the list of its names if one has a dot.
  private static func line(_ path: [String]) -> JSONValue {
    path.contains { $0.contains(".") } ? .array(path.map { .string($0) }) : .string(path.joined(separator: "."))
  }
}
