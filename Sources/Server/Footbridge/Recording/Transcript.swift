import BridgeCore
import Essentials
import Sessions

/// The messages between a page and its app: the lines of the recorder, or the journal of a session.
///
/// The input is not trusted: it comes from a device, in a file.
package struct Transcript: Sendable {
  /// The native app's step after a message.
  enum Step: Sendable, Hashable {
    /// It replied; nil is `undefined`.
    case reply(JSONValue?)
    /// It refused with this text.
    case error(String)
    /// It called a function of the page.
    case call([String], JSONValue)
    /// It dispatched an event on `window`.
    case event(String, JSONValue?)
  }

  /// A message of the page, and the native app's steps after it.
  struct Exchange: Sendable {
    let channel: String?
    /// The name that the journal has for it; nil in a recorder's transcript.
    let name: String?
    let body: JSONValue
    var steps: [Step] = []
  }

  /// The messages, in order.
  private(set) var exchanges: [Exchange] = []
  /// The native app's steps before the first message.
  private(set) var opened: [Step] = []
  private var open: [String: Int] = [:]
  private var wasCut = false
  private let bridge: String
  private let marks: JournalMarks

  private static let longestLine = 1 << 20
  private static let mostExchanges = 10_000

  /// Reads a transcript.
  ///
  /// - Parameters:
  ///   - text: JSON Lines, or one JSON object whose `entries` are a journal.
  ///   - bridge: The bridge to take from a journal.
  ///   - secrets: The names of members to leave out, besides those that look like secrets.
  /// - Throws: ``TranscriptError`` with the line.
  package init(_ text: [UInt8], bridge: String, secrets: [String]) throws(TranscriptError) {
    self.bridge = bridge
    marks = JournalMarks(secrets: secrets)
    if let whole = try? JSONValue(parsing: text), let entries = whole["entries"]?.arrayValue {
      for (index, entry) in entries.enumerated() { try read(entry, line: index + 1) }
      return
    }
    for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let number = index + 1
      guard line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { continue }
      guard line.count <= Self.longestLine else {
        throw TranscriptError(number, "a line may have \(Self.longestLine) bytes")
      }
      try read(try Self.value(of: line, number), line: number)
    }
  }

  private static func value(of line: some Sequence<UInt8>, _ number: Int) throws(TranscriptError) -> JSONValue {
    do {
      return try JSONValue(parsing: line)
    } catch {
      throw TranscriptError(number, "this is not JSON: \(error)")
    }
  }

  private mutating func read(_ line: JSONValue, line number: Int) throws(TranscriptError) {
    guard let members = line.objectValue else { throw TranscriptError(number, "a line must be a JSON object") }
    // Secrets are removed first.
    let safe = marks.marked(members)
    if let kind = members["kind"]?.stringValue, members["cursor"] != nil { return try read(entry: safe, kind, number) }
    switch safe {
    case _ where safe["page"] != nil: open = [:]
    case _ where safe["lost"] != nil: wasCut = true
    case _ where safe["channel"] != nil:
      guard let channel = safe["channel"]?.stringValue, let id = safe["message"]?.numberValue else {
        throw TranscriptError(number, "a message must have its number as message, and the name of its channel")
      }
      try begin(Exchange(channel: channel, name: nil, body: safe["body"] ?? .null), id: "\(id)", number)
    case _ where safe["message"] != nil:
      guard let id = safe["message"]?.numberValue else {
        throw TranscriptError(number, "message must be a number")
      }
      end(id: "\(id)", safe["error"].map { .error($0.stringValue ?? $0.jsonText) } ?? .reply(safe["reply"]))
    case _ where safe["call"] != nil:
      guard let path = Self.path(safe["call"]) else {
        throw TranscriptError(number, "call must be the path of a function, such as app.onEvent")
      }
      add(.call(path, safe["args"] ?? []))
    case _ where safe["event"] != nil:
      guard let name = safe["event"]?.stringValue else { throw TranscriptError(number, "event must be a name") }
      add(.event(name, safe["detail"]))
    default:
      throw TranscriptError(
        number, "expected a line of the recorder (message, call, event, page), or an entry of a journal")
    }
  }

  private mutating func read(
    entry: [String: JSONValue], _ kind: String, _ number: Int
  ) throws(TranscriptError) {
    guard let action = entry["action"]?.stringValue, action.hasPrefix(bridge + ".") else { return }
    let name = String(action.dropFirst(bridge.count + 1))
    let data = entry["data"]?.objectValue
    let id = entry["page"]?.stringValue.map { "\($0) " } ?? ""
    let call = id + (entry["correlationId"]?.stringValue ?? "")
    switch kind {
    case "request":
      let channel = data?["channel"]?.stringValue
      try begin(Exchange(channel: channel, name: name, body: data?["value"] ?? .null), id: call, number)
    case "response":
      end(id: call, entry["error"]?["message"]?.stringValue.map { .error($0) } ?? .reply(data?["value"]))
    case "event" where name == "call":
      guard let path = Self.path(data?["path"]) else { return }
      add(.call(path, data?["args"] ?? []))
    case "event" where name == "event":
      if let event = data?["name"]?.stringValue { add(.event(event, data?["detail"])) }
    default: break
    }
  }

  private static func path(_ value: JSONValue?) -> [String]? {
    if let text = value?.stringValue { return text.isEmpty ? nil : text.split(separator: ".").map(String.init) }
    let names = value?.arrayValue?.compactMap(name) ?? []
    return names.isEmpty || names.count != value?.arrayValue?.count ? nil : names
  }

  /// The name of a member, or the index of an element.
  private static func name(_ value: JSONValue) -> String? {
    value.stringValue ?? value.numberValue.flatMap { Int(exactly: $0) }.map(String.init)
  }

  private mutating func begin(_ exchange: Exchange, id: String, _ number: Int) throws(TranscriptError) {
    guard exchanges.count < Self.mostExchanges else {
      throw TranscriptError(number, "a transcript may have \(Self.mostExchanges) messages: cut it")
    }
    open[id] = exchanges.count
    exchanges.append(exchange)
  }

  private mutating func end(id: String, _ step: Step) {
    if let index = open.removeValue(forKey: id) { exchanges[index].steps.append(step) }
  }

  /// The native app did something without being asked. The step belongs to the message whose id it contains, or else to the latest message.
  private mutating func add(_ step: Step) {
    guard !exchanges.isEmpty else { return opened.append(step) }
    let ids = step.ids
    let recent = exchanges.indices.suffix(50).reversed()
    let index = recent.first { !ids.isDisjoint(with: exchanges[$0].body.ids) } ?? exchanges.count - 1
    exchanges[index].steps.append(step)
  }
}

/// An error in a transcript.
package struct TranscriptError: Error, CustomStringConvertible {
  /// The line, from 1; of a journal, the number of the entry.
  package let line: Int
  private let reason: String

  init(_ line: Int, _ reason: String) { (self.line, self.reason) = (line, reason) }

  /// The reason, as a sentence.
  package var description: String { "\(reason)." }
}

extension Transcript.Step {
  fileprivate var ids: Set<JSONValue> {
    switch self {
    case .call(_, let arguments): arguments.ids
    case .event(_, let detail): detail?.ids ?? []
    case .reply, .error: []
    }
  }
}

extension JSONValue {
  /// The values of all members whose names end with `id`, at any depth, also in texts that are JSON.
  fileprivate var ids: Set<JSONValue> {
    switch self {
    case .object(let members):
      members.reduce(into: []) { ids, member in
        switch member.value {
        case .string, .number: if member.key.lowercased().hasSuffix("id") { ids.insert(member.value) }
        default: break
        }
        ids.formUnion(member.value.ids)
      }
    case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.ids) }
    case .string(let text): text.hasPrefix("{") ? (try? JSONValue(parsing: text.utf8))?.ids ?? [] : []
    case .number, .bool, .null: []
    }
  }
}
