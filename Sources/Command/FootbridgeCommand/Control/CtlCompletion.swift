import BridgeCore
import BridgeRuntime
import ControlClient
import Essentials

/// Completes the arguments of `footbridge ctl` in a shell. It asks the server for names, if there is one; if not, it stays silent.
struct CtlCompletion {
  private let arguments: [String]
  /// The operands before the cursor, and the typed part of the one at the cursor.
  private let before: [String]
  private let written: String
  /// The part of `written` that the shell treats as a separate word.
  private let ownedByShell: String

  /// The options that have a value.
  private static let valued = ["--server", "--token-file", "--session", "--body"]

  /// Takes the words of the command line and its cursor: the index of a word, and the typed part of that word.
  init(_ arguments: [String], at index: Int = 0, prefix: String = "") {
    self.arguments = arguments
    let words = Array(arguments.prefix(index).drop { $0 != "ctl" }.dropFirst()) + [prefix]
    let joined = Self.joined(words)
    written = joined.last ?? ""
    ownedByShell = String(written.dropLast(prefix == "=" ? 0 : prefix.count))
    before = Self.operands(joined.dropLast())
  }

  /// The words without the breaks that bash puts at each `=` and `:`.
  private static func joined(_ words: [String]) -> [String] {
    words.reduce(into: []) { joined, word in
      let continues = joined.last.map { $0.hasSuffix("=") || $0.hasSuffix(":") } ?? false
      if !joined.isEmpty, continues || word == "=" || word == ":" || word == ":=" {
        joined[joined.count - 1] += word
      } else {
        joined.append(word)
      }
    }
  }

  /// The sessions, by their names and ids.
  func sessions() async -> [String] {
    guard let table = try? ControlTable(), let names = await names(table) else { return [] }
    return ((try? await names.allSessions()) ?? []).map { $0.label.isEmpty ? $0.id : $0.label }.filter(Self.isPlain)
  }

  /// The words that are possible at the cursor.
  func words() async -> [String] {
    guard let table = try? ControlTable() else { return [] }
    let words = Set(table.words.next(after: before) + Self.shortForms(after: before)).sorted()
    let candidates = (words + (await values(table))).filter(Self.isPlain)
    return candidates.filter { $0.hasPrefix(written) }.map { String($0.dropFirst(ownedByShell.count)) }
  }

  /// Whether no shell sees anything but text in a candidate. Some ids are chosen by pages, and bash expands what is
  /// offered to it: a page's text must not become a command.
  static func isPlain(_ candidate: String) -> Bool {
    candidate.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "._:@%+=/-".utf8.contains(byte)
      }
    }
  }

  private static func shortForms(after words: [String]) -> [String] {
    CommandArguments.shortForms.map(\.words).filter { $0.count > words.count && $0.starts(with: words) }
      .map { $0[words.count] }
  }

  /// The words that belong to the operation.
  private static func operands(_ words: [String]) -> [String] {
    var operands: [String] = []
    var isValue = false
    for word in words {
      if isValue {
        isValue = false
      } else if word.hasPrefix("-"), word != "-" {
        isValue = valued.contains(word)
      } else {
        operands.append(word)
      }
    }
    return operands
  }

  /// The names, parameters and members that an operation takes next.
  private func values(_ table: ControlTable) async -> [String] {
    guard let match = table.words.match(before, counting: { $0.count { NamedArgument($0) == nil } + 1 }) else {
      return []
    }
    let operation = match.operation
    if let named = NamedArgument(written) {
      let schema =
        operation.parameters.first { $0.name == named.name }?.schema ?? operation.body?.properties[named.name]
      return Self.values(of: schema).map { "\(named.name)=\($0)" }
    }
    let settings = operation.settings.map { "\($0.name)=" } + (operation.body?.names ?? []).map { "\($0)=" }
    let given = match.rest.filter { NamedArgument($0) == nil }
    let variables = operation.variables
    guard given.count < variables.count, let names = await names(table) else { return settings }
    var known = Dictionary(uniqueKeysWithValues: zip(variables.map(\.name), given))
    if operation.path.contains("{\(ControlOperation.session)}") {
      known[ControlOperation.session] = await session(names, operation)
    }
    let items = try? await names.items(variables[given.count].name, of: operation, known)
    return ((items ?? nil) ?? []).map(\.id) + settings
  }

  private static func values(of schema: Schema?) -> [String] {
    guard let schema else { return [] }
    if let values = schema.values { return values.map { $0.stringValue ?? $0.jsonText } }
    return schema.types.contains("boolean") ? ["true", "false"] : []
  }

  private func session(_ names: Names, _ operation: ControlOperation) async -> String? {
    let given = value(of: "--session")
    if let given { return try? await names.session(given, for: operation) }
    return try? await names.only(ControlOperation.session, of: operation, [:])
  }

  private func names(_ table: ControlTable) async -> Names? {
    var options: [String] = []
    for name in ["--server", "--token-file"] { if let value = value(of: name) { options += [name, value] } }
    guard let server = try? ServerChoice.parse(options).find(),
      let connection = try? await ControlConnection(to: server, table.operations)
    else { return nil }
    return Names(table: table.operations, connection: connection)
  }

  private func value(of option: String) -> String? {
    if let index = arguments.lastIndex(of: option), index + 1 < arguments.count { return arguments[index + 1] }
    return arguments.last { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
  }
}
