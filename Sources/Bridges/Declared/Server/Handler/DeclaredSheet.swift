package import BridgeCore

/// A native screen that a handler shows: a title, a text, fields and buttons.
package struct DeclaredSheet: Sendable, Hashable {
  /// The kinds of fields. Most are types of HTML's `input`.
  enum FieldKind: String, CaseIterable {
    case text, password, number, email, tel, date, checkbox, choice
  }

  /// The content, for the page and the control API.
  package let content: [String: JSONValue]
  /// The initial values of the fields.
  private let values: [String: JSONValue]
  /// The fields whose values are secret.
  package let secretFields: Set<String>

  /// The member of an answer that names the button which was pressed.
  package static let button = "button"
  /// The screen that draws it.
  private static let screen = "form"
  private static let mostFields = 50
  private static let mostButtons = 8
  private static let mostChoices = 500
  private static let longestText = 10_000

  /// Reads a sheet of a handler's line: `title`, `text`, `fields` and `buttons`.
  ///
  /// - Throws: What is wrong, as ``HandlerMessage/Problem``.
  package init(_ members: [String: JSONValue]) throws(HandlerMessage.Problem) {
    var content: [String: JSONValue] = ["screen": .string(Self.screen)]
    content["title"] = .string(try Self.text(members["title"], "title") ?? "")
    if let text = try Self.text(members["text"], "text") { content["text"] = .string(text) }
    var fields: [JSONValue] = []
    var values: [String: JSONValue] = [:]
    var secrets: Set<String> = []
    for field in try Self.list(members["fields"], "fields", Self.mostFields) {
      let (name, kind, members) = try Self.field(field)
      guard values[name] == nil, name != Self.button else {
        throw HandlerMessage.Problem("a sheet with two fields of one name, or with one called \(Self.button)")
      }
      values[name] = members["value"] ?? (kind == .checkbox ? false : "")
      if kind == .password { secrets.insert(name) }
      fields.append(.object(members))
    }
    content["fields"] = .array(fields)
    var buttons: [JSONValue] = []
    for button in try Self.list(members["buttons"], "buttons", Self.mostButtons) {
      let button = try Self.button(button)
      guard !buttons.contains(where: { $0["name"] == button["name"] }) else {
        throw HandlerMessage.Problem("a sheet with two buttons of one name")
      }
      buttons.append(button)
    }
    if !buttons.isEmpty { content["buttons"] = .array(buttons) }
    self.content = content
    self.values = values
    secretFields = secrets
  }

  /// The members of the line that tells the handler the answer. Fields that the answer leaves out have their initial values.
  package func members(for answer: SheetAnswer) -> [String: JSONValue] {
    guard answer.approved else { return ["approved": false] }
    var fields = answer.fields
    var members: [String: JSONValue] = ["approved": true]
    members[Self.button] = fields.removeValue(forKey: Self.button) ?? approvingButton
    members["fields"] = .object(values.merging(fields) { $1 })
    return members
  }

  /// Checks an answer against what the sheet with this content offers.
  ///
  /// - Returns: What is wrong: the member, and what it must be; nil if nothing is.
  package static func problem(
    of fields: [String: JSONValue], in content: [String: JSONValue]
  ) -> (member: String, expected: String)? {
    let known = content["fields"]?.arrayValue ?? []
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      if name == button {
        let names = (content["buttons"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
        guard let name = value.stringValue, names.contains(name) else {
          return (name, "one of the buttons: \(names.joined(separator: ", "))")
        }
        continue
      }
      guard let field = known.first(where: { $0["name"]?.stringValue == name }) else {
        let names = known.compactMap { $0["name"]?.stringValue }
        return (
          name, "left out: the sheet has \(names.isEmpty ? "no fields" : "the fields \(names.joined(separator: ", "))")"
        )
      }
      switch field["type"]?.stringValue.flatMap(FieldKind.init) ?? .text {
      case .checkbox: if value.boolValue == nil { return (name, "true or false") }
      case .choice:
        let choices = (field["options"]?.arrayValue ?? []).compactMap { $0["value"]?.stringValue }
        guard let choice = value.stringValue, choices.contains(choice) else {
          return (name, "one of: \(choices.joined(separator: ", "))")
        }
      default: if value.stringValue == nil { return (name, "a text") }
      }
    }
    return nil
  }

  private var approvingButton: JSONValue? {
    content["buttons"]?.arrayValue?.first { $0["approves"] == true }?["name"]
  }

  // MARK: Reading

  private static func field(
    _ value: JSONValue
  ) throws(HandlerMessage.Problem) -> (name: String, FieldKind, [String: JSONValue]) {
    let given = value.objectValue ?? ["name": value]
    guard let name = try text(given["name"], "name of a field"), !name.isEmpty else {
      throw HandlerMessage.Problem("a sheet with a field that has no name")
    }
    let type = try text(given["type"], "type of a field") ?? FieldKind.text.rawValue
    guard let kind = FieldKind(rawValue: type) else {
      let kinds = FieldKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw HandlerMessage.Problem("a sheet with a field whose type is none of \(kinds)")
    }
    var members: [String: JSONValue] = ["name": .string(name), "type": .string(type)]
    members["label"] = .string(try text(given["label"], "label of a field") ?? name)
    if given["required"]?.boolValue == true { members["required"] = true }
    var options: [JSONValue] = []
    for option in try list(given["options"], "options of a field", mostChoices) {
      let label = try text(option["label"] ?? option["value"] ?? option, "label of an option") ?? ""
      let value = try text(option["value"] ?? option, "value of an option") ?? label
      guard !options.contains(where: { $0["value"]?.stringValue == value }) else {
        throw HandlerMessage.Problem("a sheet with a choice that has two options of one value")
      }
      options.append(["value": .string(value), "label": .string(label)])
    }
    if kind == .choice {
      guard let first = options.first else { throw HandlerMessage.Problem("a sheet with a choice that has no options") }
      let value = given["value"] ?? first["value"]
      guard options.contains(where: { $0["value"] == value }) else {
        throw HandlerMessage.Problem("a sheet with a choice whose value is none of its options")
      }
      members["options"] = .array(options)
      members["value"] = value
    } else if let value = given["value"] {
      guard kind == .checkbox ? value.boolValue != nil : value.stringValue != nil else {
        throw HandlerMessage.Problem("a sheet with a field whose value is not of its type")
      }
      members["value"] = value
    }
    return (name, kind, members)
  }

  private static func button(_ value: JSONValue) throws(HandlerMessage.Problem) -> JSONValue {
    let given = value.objectValue ?? ["name": value]
    guard let name = try text(given["name"], "name of a button"), !name.isEmpty else {
      throw HandlerMessage.Problem("a sheet with a button that has no name")
    }
    let approves = given["cancel"]?.boolValue != true
    let label = try text(given["label"], "label of a button") ?? name
    return ["name": .string(name), "label": .string(label), "approves": .bool(approves)]
  }

  private static func text(_ value: JSONValue?, _ what: String) throws(HandlerMessage.Problem) -> String? {
    guard let value, value != .null else { return nil }
    guard let text = value.stringValue, text.utf8.count <= longestText else {
      throw HandlerMessage.Problem("a sheet whose \(what) is not a text, or is a very long one")
    }
    return text
  }

  private static func list(
    _ value: JSONValue?, _ what: String, _ most: Int
  ) throws(HandlerMessage.Problem) -> [JSONValue] {
    guard let value, value != .null else { return [] }
    guard let list = value.arrayValue, list.count <= most else {
      throw HandlerMessage.Problem("a sheet whose \(what) are not an array of at most \(most)")
    }
    return list
  }
}
