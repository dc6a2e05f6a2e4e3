import BridgeCore
import BridgeRuntime
import Footbridge

/// An entry of the journal as one line: cursor, time, kind, action, result and data.
enum JournalLine {
  /// The longest data in a line, in characters.
  private static let longestData = 200

  static func text(of entry: JSONValue, in session: String? = nil) -> String {
    let cursor = entry["cursor"]?.numberValue.map { "\(Int($0))" } ?? ""
    var parts = [
      session, cursor.padded(to: 5, atStart: true), time(entry["time"]?.numberValue ?? 0),
      (entry["kind"]?.stringValue ?? "").padded(to: 13), entry["action"]?.stringValue, entry["status"]?.stringValue,
      entry["error"]?["code"]?.stringValue, entry["note"]?.stringValue,
    ]
    parts.append(entry["data"].map(data))
    return parts.compactMap { $0 }.map(AnswerText.printable).joined(separator: "  ")
  }

  private static func data(_ value: JSONValue) -> String {
    let text = value.jsonText
    return text.count > longestData ? text.prefix(longestData) + "…" : text
  }

  /// The time of the session's clock, without its day.
  private static func time(_ milliseconds: Double) -> String {
    String(BridgeInstant(millisecondsSinceEpoch: milliseconds).rfc3339.dropFirst(11).dropLast())
  }
}

extension String {
  fileprivate func padded(to width: Int, atStart: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - count))
    return atStart ? padding + self : self + padding
  }
}
