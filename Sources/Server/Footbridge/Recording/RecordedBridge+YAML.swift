import DeclaredServer
import BridgeServer
import BridgeCore
import Sessions

extension RecordedBridge {
  /// The section of `footbridge.yaml` that declares the bridge.
  ///
  /// - Parameter handler: The file of the program that answers; nil for answers in the section.
  package func yaml(handler: String? = nil) -> String {
    var lines = ["bridges:", "  \(name):"]
    if !channels.isEmpty { lines.append("    channels:") }
    for (name, channel) in channels.sorted(by: { $0.key < $1.key }) {
      let text = channel.isText ? ", text: true" : ""
      lines.append("      \(Self.quoted(name)): { reply: \(channel.reply.rawValue)\(text) }")
    }
    lines.append("    name: [\(naming.map(Self.yaml).joined(separator: ", "))]")
    if let handler {
      lines.append("    handler: { run: [python3, \(Self.quoted(handler))] }")
    } else if !names.isEmpty {
      lines.append("    answers:")
      for name in names { lines += self.lines(of: name) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(of name: String) -> [String] {
    guard let answer = answers[name] else { return [] }
    let comment = comment(on: answer).map { "      # \($0)" }
    guard !answer.steps.isEmpty else {
      return ["      # \(Self.quoted(name)): native did nothing in \(answer.count) of \(answer.count) cases."]
    }
    let steps = answer.steps.map(Self.yaml)
    let line = "      \(Self.quoted(name)): "
    if steps.count == 1 { return [comment, line + steps[0]].compactMap { $0 } }
    return ([comment, line] + steps.map { "        - \($0)" }).compactMap { $0?.trimmingTrailingSpace }
  }

  /// A remark for the reader about an answer; nil for none.
  func comment(on answer: Answer) -> String? {
    answer.isAlwaysSame ? nil : "Native did different things in \(answer.count) cases; this is the first."
  }

  private static func yaml(_ naming: MessageNaming) -> String {
    switch naming {
    case .word(let word): quoted(word)
    case .before(let separator, let place):
      "{ before: \(JSONValue.string(separator).jsonText), of: \(quoted(place.text)) }"
    case .parts(let parts):
      parts.count == 1 ? yaml(parts[0]) : "[\(parts.map(yaml).joined(separator: ", "))]"
    }
  }

  private static func yaml(_ part: MessageNaming.Part) -> String {
    switch part {
    case .place(let place): quoted(place.text)
    case .channel: "channel"
    }
  }

  private static func yaml(_ step: DeclaredAnswer.Step) -> String {
    switch step {
    case .reply(let value): return "{ reply: \(yaml(value)) }"
    case .fail(let text): return "{ error: \(yaml(text)) }"
    case .call(let path, let arguments):
      return "{ call: [\(path.map(yaml).joined(separator: ", "))], args: \(yaml(arguments)) }"
    case .event(let name, let detail):
      return "{ event: \(yaml(name))\(detail.map { ", detail: \(yaml($0))" } ?? "") }"
    }
  }

  /// JSON is valid YAML. Only the gaps of a template need YAML tags.
  private static func yaml(_ template: JSONTemplate) -> String {
    switch template {
    case .constant(let value): value.jsonText.replacing("\u{7F}", with: "\\u007f")
    case .undefined: "!undefined"
    case .from(let pointer): "!from \(quoted(pointer.text))"
    case .text(let inside): "!json \(yaml(inside))"
    case .array(let elements): "[\(elements.map(yaml).joined(separator: ", "))]"
    case .object(let members):
      "{ \(members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \(yaml($0.value))" }.joined(separator: ", ")) }"
    }
  }

  private static func quoted(_ text: String) -> String {
    text.wholeMatch(of: /[A-Za-z][A-Za-z0-9]*(\.[A-Za-z][A-Za-z0-9]*)*/) != nil && !reserved.contains(text.lowercased())
      ? text : JSONValue.string(text).jsonText
  }

  /// Words that YAML takes for other values.
  private static let reserved: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
}

extension String {
  fileprivate var trimmingTrailingSpace: String { hasSuffix(" ") ? String(dropLast()) : self }
}
