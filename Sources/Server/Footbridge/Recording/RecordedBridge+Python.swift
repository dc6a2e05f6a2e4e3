import DeclaredServer
import BridgeCore
import Sessions

extension RecordedBridge {
  /// A Python program that answers as the native app did: a function for each message.
  package var pythonHandler: String {
    let functions = names.enumerated().compactMap { number, name -> String? in
      guard let answer = answers[name], !answer.steps.isEmpty else { return nil }
      var lines = ["@on(\(Self.python(.string(name))))", "def answer_\(number + 1)(body, page):"]
      if let comment = comment(on: answer) { lines.append("    # \(comment)") }
      return (lines + answer.steps.map { "    " + Self.python($0) }).joined(separator: "\n")
    }
    return """
      \"\"\"The recorded answers of the native app: a function for each message. Change what they return.\"\"\"

      import json
      import sys

      ANSWERS = {}


      class Refused(Exception):
          \"\"\"The message is refused with this text.\"\"\"


      class Page:
          \"\"\"The page that has sent a message.\"\"\"

          def __init__(self, message):
              self.place = {"session": message["session"], "page": message["page"]}

          def call(self, path, *args):
              say(**self.place, call=path, args=args)

          def event(self, name, detail=None):
              say(**self.place, event=name, detail=detail)


      def on(name):
          return lambda answer: ANSWERS.setdefault(name, answer)


      def at(body, *names):
          \"\"\"What the message has at a place; None when there is nothing.\"\"\"
          for name in names:
              try:
                  body = body[int(name)] if isinstance(body, list) else body[name]
              except (IndexError, KeyError, TypeError, ValueError):
                  return None
          return body


      def say(**members):
          print(json.dumps(members), flush=True)


      \(functions.joined(separator: "\n\n\n"))


      def main():
          for line in sys.stdin:
              message = json.loads(line)
              answer = ANSWERS.get(message.get("name", message.get("state")))
              members = {}
              try:
                  if answer:
                      reply = answer(message.get("body"), Page(message))
                      members = {} if reply is None else {"reply": reply[0]}
              except Refused as error:
                  members = {"error": str(error)}
              if "message" in message:
                  say(message=message["message"], **members)


      main()

      """
  }

  private static func python(_ step: DeclaredAnswer.Step) -> String {
    switch step {
    // In a list: None is a reply, too.
    case .reply(let value): return "return [\(python(value))]"
    case .fail(let text): return "raise Refused(\(python(text)))"
    case .call(let path, let arguments):
      return "page.call([\(path.map(python).joined(separator: ", "))], *\(python(arguments)))"
    case .event(let name, let detail): return "page.event(\(python(name))\(detail.map { ", \(python($0))" } ?? ""))"
    }
  }

  private static func python(_ template: JSONTemplate) -> String {
    switch template {
    case .constant(let value): python(value)
    case .from(let pointer):
      pointer.tokens.isEmpty
        ? "body" : "at(body, \(pointer.tokens.map { python(.string($0)) }.joined(separator: ", ")))"
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
