import Sessions
import BridgeServer
import BridgeCore

/// Reads the answer of a declared bridge to a message: one step, or a list of steps.
struct DeclaredAnswerNode {
  /// The answers, in order.
  let answers: [DeclaredAnswer]

  /// Reads `{reply | error | call + args | event + detail, delay?}`, or a list of such objects. `hasReply` is false if there is no message
  /// to reply to.
  init(_ node: InputNode, hasReply: Bool = true) throws(OptionError) {
    let nodes = node.isList ? try node.elements() : [node]
    var answers: [DeclaredAnswer] = []
    for node in nodes { answers.append(try Self.answer(node, hasReply: hasReply)) }
    if let second = zip(nodes, answers).filter({ $0.1.isReply }).dropFirst().first {
      throw second.0.expected("left out: a message has one reply or error")
    }
    self.answers = answers
  }

  private static func answer(_ node: InputNode, hasReply: Bool) throws(OptionError) -> DeclaredAnswer {
    let members = try node.section(["reply", "error", "call", "args", "event", "detail", "delay"])
    let kinds = ["reply", "error", "call", "event"].filter { members[$0] != nil }
    guard kinds.count == 1, let kind = kinds.first, let value = members[kind] else {
      throw node.expected("given exactly one of: reply, error, call, event")
    }
    if !hasReply, kind == "reply" || kind == "error" {
      throw value.expected("left out: there is no message that it could answer")
    }
    if let args = members["args"], kind != "call" { throw args.expected("left out: only a call has args") }
    if let detail = members["detail"], kind != "event" { throw detail.expected("left out: only an event has a detail") }
    let delay = try members["delay"]?.delay() ?? .zero
    return DeclaredAnswer(try step(kind, value, members), delay: delay)
  }

  private static func step(
    _ kind: String, _ value: InputNode, _ members: [String: InputNode]
  ) throws(OptionError) -> DeclaredAnswer.Step {
    switch kind {
    case "reply": return .reply(try value.template())
    case "error": return .fail(try value.template())
    case "event":
      return .event(
        name: try value.template(),
        detail: try members["detail"].map { node throws(OptionError) in try node.template() })
    default:
      var path = [value]
      if value.isList { path = try value.elements() }
      guard !path.isEmpty else { throw value.expected("the path of a function from window, such as app.onEvent") }
      var arguments = JSONTemplate.constant([])
      if let args = members["args"] {
        guard args.isList || args.tag != nil else { throw args.expected("a list") }
        arguments = try args.template()
      }
      var templates: [JSONTemplate] = []
      for part in path { templates.append(try part.template()) }
      return .call(path: templates, arguments: arguments)
    }
  }
}

extension DeclaredAnswer {
  /// Whether this step settles the promise.
  fileprivate var isReply: Bool {
    switch step {
    case .reply, .fail: true
    case .call, .event: false
    }
  }
}

extension InputNode {
  /// A JSON value with gaps. `!from /place` is the message's value at that place, and `!json value` is the value as JSON text.
  func template() throws(OptionError) -> JSONTemplate {
    switch tag {
    case "!from": return .from(try pointer())
    case "!json": return .text(try plainTemplate())
    case .some(let tag): throw expected("without the tag \(tag). Known are: !from, !json")
    case nil: break
    }
    // JSON has no tags. There, an object with one member of this name counts as the tag.
    if isMapping, !isOfFile, let (name, value) = try members().first, try members().count == 1 {
      if name == "!from" { return .from(try value.pointer()) }
      if name == "!json" { return .text(try value.template()) }
    }
    return try plainTemplate()
  }

  private func plainTemplate() throws(OptionError) -> JSONTemplate {
    if isMapping {
      var members: [String: JSONTemplate] = [:]
      for (name, value) in try self.members() { members[name] = try value.template() }
      return .of(members)
    }
    if isList { return .of(try list { node throws(OptionError) in try node.template() }) }
    return .constant(try json())
  }

  /// A JSON pointer.
  func pointer() throws(OptionError) -> JSONPointer {
    guard let pointer = JSONPointer(try text()) else {
      throw expected("a JSON pointer (RFC 6901) such as /user/id")
    }
    return pointer
  }
}
