import BridgeCore
import ControlClient

/// An answer of the control API as text.
struct AnswerText {
  /// The lines.
  let lines: [String]

  /// Lays out an answer: lists as tables, and objects as names with their values.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - schema: Its schema, which gives the order of names.
  ///   - width: The width of the terminal; nil if the text does not go to one.
  init(_ answer: JSONValue, _ schema: Schema?, width: Int?) {
    guard let members = answer.objectValue else {
      lines = [Self.cell(answer)]
      return
    }
    var lines: [String] = []
    let lists = Self.names(members, schema).filter { members[$0]?.arrayValue?.first?.objectValue != nil }
    let others = Self.names(members, schema).filter { !lists.contains($0) }
    let isOnlyList = members.count == 1 && members.values.first?.arrayValue != nil
    if !isOnlyList || lists.isEmpty {
      let longest = others.map(\.count).max() ?? 0
      for name in others {
        let value = members[name] ?? .null
        if isOnlyList, let elements = value.arrayValue {
          lines += elements.isEmpty ? ["There are no \(name)."] : elements.map(Self.cell)
        } else {
          let text = Self.cell(value)
          let padding = text.isEmpty ? "" : String(repeating: " ", count: longest - name.count + 2)
          lines.append(name + padding + text)
        }
      }
    }
    for name in lists {
      let rows = members[name]?.arrayValue ?? []
      if !isOnlyList { lines += (lines.isEmpty ? [] : [""]) + ["\(name):"] }
      lines += Self.table(rows, schema?.properties[name]?.items, width: width)
    }
    self.lines = lines
  }

  /// The members that tell most about a row, besides the first one.
  private static let important = [
    "name", "kind", "product", "productIdentifier", "action", "on", "state", "status", "url", "account", "error",
    "waitingFor",
  ]
  /// The members that name an object.
  private static let naming = ["name", "id", "productIdentifier", "product", "action", "on", "url"]

  private static func table(_ rows: [JSONValue], _ schema: Schema?, width: Int?) -> [String] {
    let members = rows.reduce(into: [String: JSONValue]()) { all, row in
      all.merge(row.objectValue ?? [:]) { first, _ in first }
    }
    let names = names(members, schema)
    let cells = rows.map { row in names.map { name in row[name].map(cell) ?? "" } }
    return TextTable(names, cells, important: important, width: width).lines
  }

  /// The names of members in the order of the schema; those that it does not have come last.
  private static func names(_ members: [String: JSONValue], _ schema: Schema?) -> [String] {
    let known = schema?.names ?? []
    return known.filter { members[$0] != nil } + members.keys.filter { !known.contains($0) }.sorted()
  }

  /// A value in one line.
  static func cell(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): printable(text)
    case .null: ""
    case .bool, .number: value.jsonText
    case .array(let elements):
      list(elements)
    case .object(let members):
      members.sorted { $0.key < $1.key }.map { name, member in "\(name) \(cell(member))" }.joined(separator: ", ")
    }
  }

  /// The elements of a list, or their names; how many there are if they have none.
  private static func list(_ elements: [JSONValue]) -> String {
    let names = elements.compactMap { element -> String? in
      guard let members = element.objectValue else { return element.arrayValue == nil ? cell(element) : nil }
      return naming.lazy.compactMap { members[$0]?.stringValue }.first.map(printable)
    }
    if names.count == elements.count { return names.joined(separator: ", ") }
    return elements.count == 1 ? "1 entry" : "\(elements.count) entries"
  }

  /// A text without characters that could move the terminal's cursor.
  static func printable(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: shown += "\u{FFFD}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
