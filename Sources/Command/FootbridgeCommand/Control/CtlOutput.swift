import BridgeCore
import ControlClient
import Essentials
import Sessions

/// The output of `footbridge ctl`.
struct CtlOutput: Sendable {
  /// Whether it prints JSON.
  let isJSON: Bool

  /// Prints the answer of an operation. An answer without JSON prints nothing.
  func print(_ answer: JSONValue?, of operation: ControlOperation) throws {
    guard let answer else { return }
    // JSON Lines stay lines.
    if isJSON, let lines = answer.arrayValue { return try lines.forEach { try Terminal.print($0.visibleText) } }
    if isJSON { return try Terminal.print(answer.visibleText) }
    if Self.isJournal(operation), let entries = answer["entries"]?.arrayValue ?? answer.arrayValue {
      return try entries.forEach { try Terminal.print(JournalLine.text(of: $0)) }
    }
    let text = AnswerText(answer, operation.result?.resolved, width: Terminal.width)
    for line in text.lines { try Terminal.print(line) }
  }

  /// Prints a followed entry. If several sessions are followed, it also prints the name of `session`.
  func print(entry: JSONValue, of session: Names.Item, amongSeveral: Bool) throws {
    guard isJSON else {
      let name = session.label.isEmpty ? session.id : session.label
      return try Terminal.print(JournalLine.text(of: entry, in: amongSeveral ? name : nil))
    }
    guard amongSeveral, case .object(var members) = entry else { return try Terminal.print(entry.visibleText) }
    members["session"] = .string(session.id)
    try Terminal.print(JSONValue.object(members).visibleText)
  }

  private static func isJournal(_ operation: ControlOperation) -> Bool { operation.id == "getJournal" }

  /// Whether a person reads the output in a terminal.
  var isForPerson: Bool { !isJSON && isatty(STDOUT_FILENO) == 1 }
}

extension JSONValue {
  /// The value as JSON (RFC 8259), in which a terminal finds no commands: hidden characters of texts are escaped. Outside of texts, JSON has
  /// none.
  var visibleText: String {
    jsonText.escapingHidden { scalar in
      UTF16.encode(scalar)?.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined() ?? ""
    }
  }
}
