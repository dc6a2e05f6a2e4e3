public import BridgeCore
public import BridgeRuntime
public import Footbridge

/// The events of a session, in order: messages over the bridge, sheets, pages, and decisions of rules.
@BridgeActor
public struct TestJournal {
  /// The kind of an event.
  public typealias Kind = JournalEntryKind

  /// An event. Secrets and images are left out, as in transcripts.
  public struct Entry: Sendable, Hashable, CustomStringConvertible {
    /// All members, as the control API shows them.
    public let json: JSONValue

    /// Its place in the journal, from 1.
    public var cursor: Int { Int(json["cursor"]?.numberValue ?? 0) }
    /// The kind of an event.
    public var kind: Kind? { json["kind"]?.stringValue.flatMap(Kind.init) }
    /// The action or the kind of sheet, such as `onside.purchase` or `payment`.
    public var action: String? { json["action"]?.stringValue }
    /// The page.
    public var page: String? { json["page"]?.stringValue }
    /// The status of a response, such as `success` or `error`.
    public var status: String? { json["status"]?.stringValue }
    /// The data of a message, a sheet or a decision.
    public var data: [String: JSONValue]? { json["data"]?.objectValue }
    /// The error of a response: `code`, `message` and `recoverable`.
    public var error: [String: JSONValue]? { json["error"]?.objectValue }
    /// The cursor of the entry that caused this one.
    public var cause: Int? { json["cause"]?.numberValue.map { Int($0) } }

    /// The entry on one line.
    public var description: String {
      var rest = json.objectValue ?? [:]
      for name in ["cursor", "time", "kind", "action", "correlationId"] { rest[name] = nil }
      let words = [
        "#\(cursor)", json["kind"]?.stringValue, action, rest.isEmpty ? nil : JSONValue.object(rest).jsonText,
      ]
      let line = words.compactMap { $0 }.joined(separator: " ")
      return line.count <= Self.lineLimit ? line : line.prefix(Self.lineLimit - 1) + "…"
    }

    private static let lineLimit = 200
  }

  private let session: InProcessSession

  init(_ session: InProcessSession) {
    self.session = session
  }

  /// All entries so far, oldest first.
  public var entries: [Entry] { session.journal.map { Entry(json: $0) } }

  /// The first entry of a kind that matches. Waits for it for at most `timeout`.
  ///
  ///     try await server.journal.first(.request, action: "nfc.read", data: ["documentNumber": "AB123456"])
  ///
  /// The entry's `data` and `error` may have more members than those given here. The values can be patterns with the operators of
  /// docs/rules.md, such as `["$contains": "coins"]`.
  ///
  /// - Parameters:
  ///   - kind: The kind of the entry.
  ///   - action: Its action; nil for any.
  ///   - page: The id of its page; nil for any.
  ///   - status: The status of a response; nil for any.
  ///   - data: Members that its data have; nil for any.
  ///   - error: Members that its error has; nil for any.
  ///   - cursor: The cursor of the entry after which to look.
  ///   - timeout: The time to wait, on the machine's clock.
  /// - Throws: ``ExpectationError`` if there is none. It lists the nearest entries, with their differences.
  @discardableResult
  public func first(
    _ kind: Kind,
    action: String? = nil,
    page: String? = nil,
    status: String? = nil,
    data: [String: JSONValue]? = nil,
    error: [String: JSONValue]? = nil,
    after cursor: Int = 0,
    within timeout: Duration = .usualPatience
  ) async throws(ExpectationError) -> Entry {
    var members: [String: JSONValue] = ["kind": .string(kind.rawValue)]
    members["action"] = action.map { .string($0) }
    members["page"] = page.map { .string($0) }
    members["status"] = status.map { .string($0) }
    members["data"] = data.map { .object($0) }
    members["error"] = error.map { .object($0) }
    let pattern: JSONPattern
    do throws(OptionError) {
      pattern = try JSONPattern(.object(members))
    } catch {
      throw ExpectationError(error.description)
    }
    switch await session.waitForEntry(pattern, after: cursor, for: timeout) {
    case .found(let entry): return Entry(json: entry)
    case .deleted: throw ExpectationError("The session was deleted meanwhile.")
    case .missed(let misses):
      let wanted = JSONValue.object(members).jsonText
      let lines = misses.flatMap { miss in
        ["  \(Entry(json: miss.entry))"] + miss.differences.map { "    \($0)" }
      }
      let nearest = lines.isEmpty ? ["The journal is empty."] : ["Nearest misses:"] + lines
      throw ExpectationError((["No entry \(wanted) came within \(timeout)."] + nearest).joined(separator: "\n"))
    }
  }
}

/// The error of a failed expectation. It tells what has come instead.
public struct ExpectationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error in sentences.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension Duration {
  /// The time that tests wait for what they expect, on the machine's clock. It is long enough for a busy machine. A test that passes never
  /// waits so long.
  public static var usualPatience: Duration { .seconds(30) }
}
