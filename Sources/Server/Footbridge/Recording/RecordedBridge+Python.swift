import BridgeCore
import DeclaredServer
import Sessions

extension RecordedBridge {
  /// A Python program that answers as the native app did: a function for each message. It uses the handler library of the Python kit.
  package var pythonHandler: String {
    let functions = names.enumerated().compactMap { number, name in
      answers[name].flatMap { answer in
        answer.variants.contains { !$0.steps.isEmpty } ? Self.function("answer_\(number + 1)", name, answer) : nil
      }
    }
    func isUsed(_ text: String) -> Bool { functions.contains { $0.contains(text) } }
    let names = ["UNDEFINED"] + (isUsed("raise Failure(") ? ["Failure"] : []) + ["Handler"]
    return """
      \"\"\"The recorded answers of the native app: a function for each message. Change what they return.\"\"\"

      \(isUsed("json.dumps(") ? "import json\n\n" : "")from pytest_footbridge.handler import \(names.joined(separator: ", "))

      handler = Handler()

      \(isUsed("at(message") ? Self.at : "")
      \(functions.map { $0 + "\n\n\n" }.joined())@handler.others
      def other(message):
          # The native app did nothing.
          return UNDEFINED


      handler.run()

      """
  }

  private static let at = """

    def at(body, *names):
        \"\"\"Returns what the message has at a place; None if there is nothing.\"\"\"
        for name in names:
            try:
                body = body[int(name)] if isinstance(body, list) else body[name]
            except (IndexError, KeyError, TypeError, ValueError):
                return None
        return body


    """

  private static func function(_ function: String, _ name: String, _ answer: RecordedAnswer) -> String {
    let isOpening = name == opened
    let comment = answer.unexplainedCount > 0 ? ["    # \(doubt(answer).capitalizedFirst)"] : []
    let lines = answer.variants.flatMap { python($0, isOpening: isOpening) }
    let isConditional = answer.variants.contains { $0.condition != nil }
    return """
      @handler.\(isOpening ? "when" : "on")(\(python(.string(name))))
      def \(function)(message):
      \((comment + lines + (isConditional ? ["    return UNDEFINED"] : [])).joined(separator: "\n"))
      """
  }

  private static func python(_ variant: RecordedAnswer.Variant, isOpening: Bool) -> [String] {
    // The app may have called the page after its reply. A function can only do so before.
    let steps = variant.steps.filter { !$0.isReply }.map(python)
    let end = variant.steps.first(where: \.isReply).map(python) ?? "return UNDEFINED"
    let lines = steps + (isOpening ? [] : [end])
    guard let condition = variant.condition else { return lines.map { "    " + $0 } }
    let test = "if \(python(.from(condition.place))) == \(python(condition.value ?? .null)):"
    return ["    " + test] + lines.map { "        " + $0 }
  }

  private static func python(_ step: DeclaredAnswer.Step) -> String {
    switch step {
    case .reply(let value): return "return \(python(value))"
    case .fail(let error): return "raise Failure(\(python(error)))"
    case .call(let path, let arguments):
      return "message.call([\(path.map(python).joined(separator: ", "))], *\(python(arguments)))"
    case .dispatch(let name, let form, let members):
      return
        "message.event(\(python(name)), on=\"\(form.target.joined(separator: "."))\", kind=\"\(form.kind)\", init=\(python(members)))"
    case .set(let path, .undefined): return "message.set([\(path.map(python).joined(separator: ", "))])"
    case .set(let path, let value):
      return "message.set([\(path.map(python).joined(separator: ", "))], \(python(value)))"
    case .event(let name, let detail): return "message.event(\(python(name))\(detail.map { ", \(python($0))" } ?? ""))"
    // A recording has what the store answered, not that it was asked.
    case .store: return "return UNDEFINED"
    }
  }

  private static func python(_ template: JSONTemplate) -> String {
    switch template {
    case .constant(let value): python(value)
    case .undefined: "UNDEFINED"
    case .from(let pointer):
      pointer.tokens.isEmpty
        ? "message.body" : "at(message.body, \(pointer.tokens.map { python(.string($0)) }.joined(separator: ", ")))"
    case .text(let inside): "json.dumps(\(python(inside)))"
    case .array(let elements): "[\(elements.map(python).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.sorted { $0.key < $1.key }.map { "\(python(.string($0.key))): \(python($0.value))" }.joined(separator: ", "))}"
    }
  }

  private static func python(_ value: JSONValue) -> String {
    switch value {
    case .null: "None"
    case .bool(let bool): bool ? "True" : "False"
    // Texts and numbers are written as in JSON.
    case .string, .number: value.visibleText
    case .array(let elements): "[\(elements.map(python).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.sorted { $0.key < $1.key }.map { "\(python(.string($0.key))): \(python($0.value))" }.joined(separator: ", "))}"
    }
  }
}
