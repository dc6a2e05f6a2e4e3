import DeclaredServer
import BridgeCore
import Sessions

extension RecordedBridge {
  /// A Python program that answers as the native app did: a function for each message. It uses the handler library of the Python kit.
  package var pythonHandler: String {
    let functions = names.enumerated().compactMap { number, name in
      answers[name].flatMap { $0.steps.isEmpty ? nil : function("answer_\(number + 1)", name, $0) }
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

  private func function(_ function: String, _ name: String, _ answer: Answer) -> String {
    // The app may have called the page after its reply. A function can only do so before.
    let steps = answer.steps.filter { !$0.isEnd }.map(Self.python)
    let end = answer.steps.first(where: \.isEnd).map(Self.python) ?? "return UNDEFINED"
    let isOpening = name == "opened" && answersOpening
    let lines = (comment(on: answer).map { ["# \($0)"] } ?? []) + steps + (isOpening ? [] : [end])
    return """
      @handler.\(isOpening ? "when" : "on")(\(Self.python(.string(name))))
      def \(function)(message):
      \(lines.map { "    \($0)" }.joined(separator: "\n"))
      """
  }

  private static func python(_ step: DeclaredAnswer.Step) -> String {
    switch step {
    case .reply(let value): return "return \(python(value))"
    case .fail(let text): return "raise Failure(\(python(text)))"
    case .call(let path, let arguments):
      return "message.call([\(path.map(python).joined(separator: ", "))], *\(python(arguments)))"
    case .event(let name, let detail): return "message.event(\(python(name))\(detail.map { ", \(python($0))" } ?? ""))"
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
    case .string, .number: value.jsonText
    case .array(let elements): "[\(elements.map(python).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.sorted { $0.key < $1.key }.map { "\(python(.string($0.key))): \(python($0.value))" }.joined(separator: ", "))}"
    }
  }
}

extension DeclaredAnswer.Step {
  /// Whether the step answers the message.
  fileprivate var isEnd: Bool {
    switch self {
    case .reply, .fail: true
    case .call, .event: false
    }
  }
}
