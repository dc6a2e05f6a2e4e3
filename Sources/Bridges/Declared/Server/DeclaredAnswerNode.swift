import InAppPurchases
import BridgeCore
import BridgeServer
import Sessions

/// Reads the answer of a declared bridge to a message: one step, or a list of steps.
struct DeclaredAnswerNode {
  /// The answers, in order.
  let answers: [DeclaredAnswer]

  /// Reads `{reply | error | call + args | event + detail | set + value | store + its members + reply, where?, delay?}`, or a list of such
  /// objects.
  ///
  /// - Parameters:
  ///   - isAboutMessage: Whether there is a message that it can answer, and compare with `where`.
  ///   - errors: What errors can be.
  init(_ node: InputNode, isAboutMessage: Bool, errors: DeclaredAdapter.Errors) throws(OptionError) {
    let nodes = node.isList ? try node.elements() : [node]
    guard !nodes.isEmpty else { throw node.expected("at least one of: \(Self.kinds.joined(separator: ", "))") }
    var answers: [DeclaredAnswer] = []
    for node in nodes {
      let answer = try Self.answer(node, isAboutMessage: isAboutMessage, errors)
      if answer.step.isReply, answers.contains(where: { $0.step.isReply && $0.condition == nil }) {
        throw node.expected("left out: a message has one reply or error, unless those before it have a where")
      }
      answers.append(answer)
    }
    self.answers = answers
  }

  private static let kinds = ["store", "reply", "error", "call", "event", "set"]
  /// Keys that only one kind of answer has.
  private static let ownKeys = Dictionary(
    uniqueKeysWithValues: [("args", "call"), ("value", "set"), ("detail", "event")]
      + DeclaredEventForm.keys.map { ($0, "event") } + storeMembers.map { ($0, "store") })

  private static func answer(
    _ node: InputNode, isAboutMessage: Bool, _ errors: DeclaredAdapter.Errors
  ) throws(OptionError) -> DeclaredAnswer {
    let members = try node.section(kinds + ownKeys.keys + ["delay", "where"])
    // Beside store, reply is what becomes of its answer.
    let given = kinds.filter { members[$0] != nil }
    guard let kind = given.first, let value = members[kind], given.count == 1 || given == ["store", "reply"] else {
      throw node.expected("given exactly one of: \(kinds.joined(separator: ", "))")
    }
    if !isAboutMessage, ["reply", "error", "store"].contains(kind) {
      throw value.expected("left out: there is no message that it could answer")
    }
    for (key, owner) in ownKeys.sorted(by: { $0.key < $1.key }) where owner != kind {
      if let member = members[key] { throw member.expected("left out: only \(owner) has \(key)") }
    }
    if !isAboutMessage, let condition = members["where"] {
      throw condition.expected("left out: there is no message to compare it with")
    }
    let answer = DeclaredAnswer(
      try step(kind, value, members, errors), delay: try members["delay"]?.delay() ?? .zero,
      where: try members["where"]?.patternOfValue())
    if !isAboutMessage, answer.isAboutInstance {
      throw (members["on"] ?? value).expected("a path from window: there is no message of an object that could be this")
    }
    return answer
  }

  private static func step(
    _ kind: String, _ value: InputNode, _ members: [String: InputNode], _ errors: DeclaredAdapter.Errors
  ) throws(OptionError) -> DeclaredAnswer.Step {
    switch kind {
    case "store": return try store(value, members)
    case "reply": return .reply(try value.template())
    case "error": return .fail(try value.errorTemplate(errors))
    case "event": return try event(value, members)
    case "set":
      guard let variable = members["value"] else { throw value.expected("given a value, too") }
      return .set(path: try path(value), try variable.template())
    default: return .call(path: try path(value), arguments: try arguments(members["args"]))
    }
  }

  private static func event(
    _ node: InputNode, _ members: [String: InputNode]
  ) throws(OptionError) -> DeclaredAnswer.Step {
    let name = try node.textTemplate("the name of an event, a text such as app:ready")
    guard DeclaredEventForm.keys.contains(where: { members[$0] != nil }) else {
      return .event(name: name, detail: try members["detail"].map { node throws(OptionError) in try node.template() })
    }
    var values: [String: JSONTemplate] = [:]
    for (name, value) in try members["init"]?.members() ?? [] { values[name] = try value.template() }
    let own = DeclaredEventForm.ownMembers.keys.filter { members[$0] != nil }
    for name in own {
      values[name] =
        name == "origin"
        ? try members[name]?.textTemplate("an origin, a text such as https://acme.example")
        : try members[name]?.template()
    }
    let form = DeclaredEventForm(
      target: try members["on"]?.text(), kind: try members["kind"]?.text(), members: own)
    guard let form else {
      throw node.expected(
        "dispatched on a path from window such as document, with a kind such as Event. Only a CustomEvent has a detail, and only a MessageEvent has data and origin"
      )
    }
    return .dispatch(name: name, form, .of(values))
  }

  /// The members of requests to the store.
  private static let storeMembers = Set(InAppRequest.operations.values.joined()).sorted()

  private static func store(
    _ node: InputNode, _ members: [String: InputNode]
  ) throws(OptionError) -> DeclaredAnswer.Step {
    let operation = try node.text()
    guard let known = InAppRequest.operations[operation] else {
      throw node.expected(oneOf: InAppRequest.operations.keys.sorted())
    }
    var templates: [String: JSONTemplate] = [:]
    for name in storeMembers {
      guard let member = members[name] else { continue }
      guard known.contains(name) else { throw member.expected("left out: \(operation) has no \(name)") }
      templates[name] =
        name == "products" && member.isList ? try texts(member) : try member.textTemplate(storeExpectation(name))
    }
    if operation == "purchase", templates["product"] == nil {
      throw node.expected("given a product, such as !from /product")
    }
    if operation == "finish", templates["transaction"] == nil { throw node.expected("given a transaction: its id") }
    return .store(
      operation: operation, members: .of(templates),
      reply: try members["reply"].map { node throws(OptionError) in try node.template() })
  }

  private static func storeExpectation(_ name: String) -> String {
    name == "products" ? "a list of identifiers" : "a text, such as an identifier"
  }

  private static func texts(_ node: InputNode) throws(OptionError) -> JSONTemplate {
    .of(try node.list { node throws(OptionError) in try node.textTemplate("a text, such as an identifier") })
  }

  private static let pathExpectation = "the path of a function from window, such as app.onEvent"

  private static func path(_ node: InputNode) throws(OptionError) -> [JSONTemplate] {
    guard node.isList else { return [try node.textTemplate(pathExpectation)] }
    var path: [JSONTemplate] = []
    for part in try node.elements() {
      let template = try part.template()
      switch template {
      case .constant(.string(let name)) where !name.isEmpty: break
      case .constant(.number(let number)) where Int(exactly: number).map({ $0 >= 0 }) == true: break
      case .from, .text: break
      default: throw part.expected("the name of a member, or the number of an element")
      }
      path.append(template)
    }
    guard !path.isEmpty else { throw node.expected(pathExpectation) }
    return path
  }

  private static func arguments(_ node: InputNode?) throws(OptionError) -> JSONTemplate {
    guard let node else { return .constant([]) }
    let template = try node.template()
    switch template {
    case .array, .constant(.array), .from: return template
    default: throw node.expected("a list")
    }
  }
}

extension InputNode {
  /// A JSON value with gaps. Its tags are those of ``TemplateTag``. An object with one member of a tag's name is the same, since JSON has no
  /// tags.
  func template() throws(OptionError) -> JSONTemplate {
    if let tag {
      guard let known = TemplateTag(rawValue: tag) else {
        throw expected(
          "without the tag \(tag). Known are: \(TemplateTag.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return try untagged().template(known)
    }
    if let (name, value) = try onlyMember(), let tag = TemplateTag(rawValue: name) { return try value.template(tag) }
    if isMapping {
      var members: [String: JSONTemplate] = [:]
      for (name, value) in try self.members() { members[name] = try value.template() }
      return .of(members)
    }
    if isList { return .of(try list { node throws(OptionError) in try node.template() }) }
    if let nameOfNumber { return .constant(["$footbridge": "number", "value": .string(nameOfNumber)]) }
    return .constant(try json())
  }

  private func template(_ tag: TemplateTag) throws(OptionError) -> JSONTemplate {
    switch tag {
    case .from: return .from(try pointer())
    case .value: return .constant(try json())
    case .undefined:
      let hasNone = isNull ? true : try json() == true
      guard hasNone else { throw expected("without a value: it is undefined") }
      return .undefined
    case .json:
      // YAML allows one tag. So `{ $from: /place }` is a value of the message here, too.
      if let (name, value) = try onlyMember(), name == "$from", value.tag == nil, !value.isMapping {
        return .text(.from(try value.pointer()))
      }
      return .text(try template())
    }
  }

  private func onlyMember() throws(OptionError) -> (name: String, value: InputNode)? {
    guard isMapping, tag == nil, case let members = try members(), members.count == 1 else { return nil }
    return members.first
  }

  /// A JSON pointer (RFC 6901).
  func pointer() throws(OptionError) -> JSONPointer {
    guard let pointer = JSONPointer(try text()) else {
      throw expected("a JSON pointer (RFC 6901) such as /user/id")
    }
    return pointer
  }
}

/// A tag in the values of answers.
package enum TemplateTag: String, CaseIterable {
  /// The value of the message at a place.
  case from = "!from"
  /// The JSON text of a value.
  case json = "!json"
  /// No value at all.
  case undefined = "!undefined"
  /// The value as it is, also if it has members that look like tags.
  case value = "!value"
}

extension InputNode {
  /// A text that is not empty, or a value of the message.
  fileprivate func textTemplate(_ expectation: String) throws(OptionError) -> JSONTemplate {
    let template = try template()
    switch template {
    case .constant(.string(let text)) where !text.isEmpty: return template
    case .from, .text: return template
    default: throw expected(expectation)
    }
  }

  /// What a message rejects with.
  fileprivate func errorTemplate(_ errors: DeclaredAdapter.Errors) throws(OptionError) -> JSONTemplate {
    let template = try template()
    switch template {
    case .constant(.string), .from, .text: return template
    case .constant(.object(let members)):
      try check(errors, memberCount: members.count, hasMessage: members["message"]?.stringValue != nil)
    case .object(let members):
      try check(errors, memberCount: members.count, hasMessage: members["message"]?.mayBeText == true)
    case .constant(.number), .constant(.array), .array:
      if errors != .values { fallthrough }
    default: throw expected("a text, or an object with at least a message: { message: Not found, code: 404 }")
    }
    return template
  }

  private func check(
    _ errors: DeclaredAdapter.Errors, memberCount: Int, hasMessage: Bool
  ) throws(OptionError) {
    if errors == .values { return }
    guard hasMessage else { throw expected("given a message, which is a text") }
    if errors == .texts, memberCount > 1 {
      remark("has more than a message. On this bridge, as on a device, the page gets an Error with the message alone")
    }
  }

  /// A pattern for any value.
  fileprivate func patternOfValue() throws(OptionError) -> JSONPattern {
    let value = try json()
    do throws(OptionError) {
      return try JSONPattern(value)
    } catch {
      throw OptionError("\(place): \(error.description).")
    }
  }
}

extension JSONTemplate {
  /// Whether the value can be a text.
  fileprivate var mayBeText: Bool {
    switch self {
    case .constant(let value): value.stringValue != nil
    case .from, .text: true
    case .array, .object, .undefined: false
    }
  }
}
