import ArgumentParser
import ControlClient
import Essentials

/// The help of `footbridge ctl`, for all operations or for one.
struct CtlHelp {
  private let table: ControlTable
  private let width: Int

  init(_ table: ControlTable, width: Int = 80) {
    self.table = table
    self.width = width
  }

  /// The lines of help for the operation that the arguments name.
  ///
  /// - Throws: `ArgumentProblem` if they name no operation.
  func lines(for arguments: [String]) throws -> [String] {
    guard !arguments.isEmpty else {
      return Ctl.helpMessage(columns: width).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        + list
    }
    guard let match = table.words.match(arguments, counting: \.count) else {
      let inside = table.operations.all.filter { table.words.of($0).starts(with: arguments) }
      guard inside.isEmpty else { return ["OPERATIONS:"] + inside.flatMap(entry) }
      _ = try CommandArguments(arguments, body: nil, table.words)
      return []
    }
    return lines(for: match.operation)
  }

  private var list: [String] {
    ["OPERATIONS:"] + table.operations.all.flatMap(entry)
      + ["", "SHORT FORMS:"]
      + CommandArguments.shortForms.flatMap { columns($0.words.joined(separator: " "), $0.meaning) }
  }

  private func entry(_ operation: ControlOperation) -> [String] {
    let names = operation.variables.map { "<\($0.name)>" }
    return columns((table.words.of(operation) + names).joined(separator: " "), operation.summary)
  }

  private func lines(for operation: ControlOperation) -> [String] {
    let words = table.words.of(operation)
    let names = operation.variables.map { "[<\($0.name)>]" }
    let members = operation.settings.isEmpty && operation.body == nil ? [] : ["[name=value ...]"]
    var lines = wrapped("OVERVIEW: \(operation.summary).")
    if !operation.details.isEmpty { lines += [""] + wrapped(operation.details) }
    lines += ["", "USAGE: footbridge ctl \((words + names + members).joined(separator: " "))"]
    if !operation.variables.isEmpty {
      lines += ["", "NAMES:"] + operation.variables.flatMap { columns("<\($0.name)>", $0.description) }
    }
    if !operation.settings.isEmpty {
      lines += ["", "PARAMETERS:"]
      lines += operation.settings.flatMap { columns("\($0.name)=", text($0.description, $0.schema)) }
    }
    if let body = operation.body {
      lines += ["", "MEMBERS OF THE BODY:"]
      lines += body.names.flatMap { name in
        let mark = body.required.contains(name) ? " (required)" : ""
        return columns("\(name)=", (body.properties[name].map { text($0.description, $0) } ?? "") + mark)
      }
    }
    return lines + ["", "OPERATION: \(operation.id), \(operation.method) \(operation.path)"]
  }

  private func text(_ description: String, _ schema: Schema) -> String {
    let expectation = schema.expectation.prefix(1).uppercased() + schema.expectation.dropFirst() + "."
    let isKnown = schema.expectation == "any JSON" && !description.isEmpty
    return isKnown ? description : [expectation, description].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The lines of a name in the first column, and its text in the second.
  private func columns(_ name: String, _ text: String) -> [String] {
    let indent = 26
    let lines = wrapped(text, to: width - indent)
    let padding = String(repeating: " ", count: indent)
    let first = "  " + name
    guard first.count < indent - 1, let head = lines.first else { return [first] + lines.map { padding + $0 } }
    return [first + String(repeating: " ", count: indent - first.count) + head] + lines.dropFirst().map { padding + $0 }
  }

  private func wrapped(_ text: String, to width: Int? = nil) -> [String] {
    var lines: [String] = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= width ?? self.width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
