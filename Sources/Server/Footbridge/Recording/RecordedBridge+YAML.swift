import BridgeCore
import BridgeServer
import DeclaredServer
import Sessions

/// The section of `footbridge.yaml` that declares the bridge.
extension RecordedBridge {
  /// An error in what was written: it would be read as something else.
  package struct Misreading: Error, CustomStringConvertible {
    package var description: String {
      "The section cannot be written: footbridge.yaml would be read as something else. Please report this, with the transcript."
    }
  }

  /// The section. It was read back, and is what was meant.
  ///
  /// - Parameter handler: The file of the program that answers; nil for answers in the section.
  package func yaml(handler: String? = nil) throws(Misreading) -> String {
    let text = lines(handler: handler).joined(separator: "\n") + "\n"
    let read: JSONValue
    do throws(OptionError) {
      read = try InputNode.yaml(text, file: "footbridge.yaml")?.tagged() ?? .null
    } catch {
      throw Misreading()
    }
    guard read == ["bridges": [name: section(handler: handler)]] else { throw Misreading() }
    return text
  }

  /// The section in the form of JSON.
  func section(handler: String? = nil) -> JSONValue {
    var members: [String: JSONValue] = [:]
    if !channels.isEmpty { members["channels"] = .object(channels.mapValues(\.section)) }
    if !naming.isEmpty { members["name"] = nameSection }
    if !warnings.isEmpty { members["warnings"] = .array(warnings.map { .string($0) }) }
    if let handler {
      members["handler"] = ["run": ["python3", .string(handler)]]
    } else {
      let answers = answers.compactMapValues(\.section)
      if !answers.isEmpty { members["answers"] = .object(answers) }
    }
    return .object(members)
  }

  private var nameSection: JSONValue {
    naming.count == 1 ? naming[0].section : .array(naming.map(\.section))
  }

  private func lines(handler: String?) -> [String] {
    var lines = ["bridges:", "  \(name):"]
    if !channels.isEmpty { lines.append("    channels:") }
    for (name, channel) in channels.sorted(by: { $0.key < $1.key }) {
      lines.append("      \(Self.quoted(name)): \(Self.flow(channel.section, order: ["reply", "text"]))")
    }
    if !naming.isEmpty { lines.append("    name: \(Self.flow(nameSection))") }
    if !warnings.isEmpty {
      lines.append("    # The log says these when the server starts. Correct the answers, and remove the lines.")
      lines.append("    warnings:")
      lines += warnings.map { "      - \(Self.flow(.string($0)))" }
    }
    if let handler {
      lines.append("    handler: { run: [python3, \(Self.quoted(handler))] }")
      return lines
    }
    let answers = names.flatMap { self.lines(of: $0) }
    if names.contains(where: { self.answers[$0]?.section != nil }) { lines.append("    answers:") }
    return lines + answers
  }

  private func lines(of name: String) -> [String] {
    guard let answer = answers[name] else { return [] }
    guard let section = answer.section else {
      return ["      # \(Self.flow(.string(name))): native did nothing in \(answer.count) of \(answer.count) cases."]
    }
    let comment = answer.unexplainedCount > 0 ? ["      # \(Self.doubt(answer).capitalizedFirst)"] : []
    let order = [
      "where", "reply", "error", "call", "args", "event", "on", "kind", "detail", "init", "set", "value",
    ]
    let line = "      \(Self.quoted(name)):"
    guard let steps = section.arrayValue else { return comment + ["\(line) \(Self.flow(section, order: order))"] }
    return comment + [line] + steps.map { "        - \(Self.flow($0, order: order))" }
  }

  // MARK: YAML

  /// A value in one line. `order` is that of members; others follow by name.
  private static func flow(_ value: JSONValue, order: [String] = [], hasTags: Bool = true) -> String {
    switch value {
    case .null, .bool, .number: return value.jsonText
    case .string(let text): return quoted(text)
    case .array(let elements): return "[\(elements.map { flow($0, hasTags: hasTags) }.joined(separator: ", "))]"
    case .object(let members):
      if hasTags, members.count == 1, let (name, inside) = members.first, let tag = TemplateTag(rawValue: name) {
        return tagged(tag, inside)
      }
      return mapping(members, order: order, hasTags: hasTags)
    }
  }

  private static func mapping(_ members: [String: JSONValue], order: [String] = [], hasTags: Bool = true) -> String {
    if members.isEmpty { return "{}" }
    let names = order.filter { members[$0] != nil } + members.keys.filter { !order.contains($0) }.sorted()
    let texts = names.map { "\(quoted($0)): \(flow(members[$0] ?? .null, hasTags: hasTags))" }
    return "{ \(texts.joined(separator: ", ")) }"
  }

  private static func tagged(_ tag: TemplateTag, _ inside: JSONValue) -> String {
    switch (tag, inside) {
    case (.undefined, _): "!undefined"
    case (.value, _): "!value \(flow(inside, hasTags: false))"
    // YAML allows one tag.
    case (.json, .object(let members)) where members.count == 1:
      members["!from"].map { "!json { $from: \(flow($0)) }" } ?? "!json \(mapping(members))"
    default: "\(tag.rawValue) \(flow(inside))"
    }
  }

  /// A text, in quotation marks unless all versions of YAML read it as itself without them.
  private static func quoted(_ text: String) -> String {
    let isPlain =
      text.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*/) != nil
      && text.unicodeScalars.allSatisfy(\.isASCII)
      && YAMLScalar(core: text) == .text && YAMLScalar(yaml11: text) == .text
    if isPlain { return text }
    // Yams leaves out a byte order mark at the beginning of a text.
    let begin = text.unicodeScalars.first == "\u{FEFF}" ? "\u{FEFF}" : ""
    return JSONValue.string(begin + text).visibleText
  }
}

extension RecordedBridge.Channel {
  /// The message handler in the section, in the form of JSON.
  fileprivate var section: JSONValue {
    var members: [String: JSONValue] = [:]
    members["reply"] =
      switch reply {
      case .value: true
      case .none: false
      case .json: "json"
      }
    if isText { members["text"] = true }
    return .object(members)
  }
}

extension MessageNaming {
  /// The way in the section, in the form of JSON.
  fileprivate var section: JSONValue {
    switch self {
    case .word(let word): .string(word)
    case .before(let separator, let pointer):
      pointer.tokens.isEmpty
        ? ["before": .string(separator)] : ["before": .string(separator), "of": .string(pointer.text)]
    case .parts(let parts): parts.count == 1 ? parts[0].section : .array(parts.map(\.section))
    }
  }
}

extension MessageNaming.Part {
  fileprivate var section: JSONValue {
    switch self {
    case .channel: "channel"
    case .place(let pointer): .string(pointer.text)
    }
  }
}

extension RecordedAnswer {
  /// The answer in the section, in the form of JSON; nil if the app did nothing.
  fileprivate var section: JSONValue? {
    let steps = variants.flatMap { variant in
      variant.steps.map { step -> JSONValue in
        guard let condition = variant.condition, case .object(var members) = step.json else { return step.json }
        members["where"] = condition.pattern
        return .object(members)
      }
    }
    return steps.count > 1 ? .array(steps) : steps.first
  }
}

extension InputNode {
  /// The value in the form of JSON, which has objects in place of tags.
  fileprivate func tagged() throws(OptionError) -> JSONValue {
    if let tag {
      if tag == TemplateTag.undefined.rawValue { return [tag: true] }
      let inside = try untagged().tagged()
      if tag == TemplateTag.json.rawValue, let pointer = inside["$from"], inside.objectValue?.count == 1,
        pointer.stringValue != nil
      {
        return [tag: ["!from": pointer]]
      }
      return [tag: inside]
    }
    if isMapping {
      var members: [String: JSONValue] = [:]
      for (name, value) in try self.members() { members[name] = try value.tagged() }
      return .object(members)
    }
    if isList { return .array(try list { node throws(OptionError) in try node.tagged() }) }
    return try json()
  }
}

extension String {
  /// The text with a capital letter at its beginning.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
