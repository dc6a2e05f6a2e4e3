import BridgeCore
import BridgeRuntime
import ControlClient

/// Finds names that a command leaves out: the only session, the only sheet and so on.
struct Names {
  let table: OperationTable
  let connection: ControlConnection
  /// What a caller names a session with.
  var sessionArgument = "--session"

  /// A thing with a name.
  struct Item: Sendable {
    /// The id.
    let id: String
    /// A further description: its name, its kind or its product; empty if there is none.
    let label: String
  }

  /// The members that can be an id, and those that describe the item to people.
  private static let ids = ["id", "correlationId", "name"]
  private static let labels = ["name", "kind", "product", "action", "on", "url"]

  /// The things that a variable of an operation's path can name. Nil if the API has no list of them.
  ///
  /// - Throws: `ControlFailure`.
  func items(_ variable: String, of operation: ControlOperation, _ given: [String: String]) async throws -> [Item]? {
    guard let listing = table.listing(of: variable, in: operation) else { return nil }
    let answer = try await connection.send(ControlCall(listing, given.filter { $0.key != variable }))
    let named = listing.path.split(separator: "/").last.flatMap { answer?[String($0)]?.arrayValue }
    let list = named ?? answer?.objectValue?.values.lazy.compactMap(\.arrayValue).first ?? []
    return list.compactMap { item in
      // Paths name declared bridges only.
      if item["declared"]?.boolValue == false { return nil }
      guard let key = Self.ids.first(where: { item[$0]?.stringValue != nil }), let id = item[key]?.stringValue else {
        return nil
      }
      let label = Self.labels.filter { $0 != key }.lazy.compactMap { item[$0]?.stringValue }.first
      return Item(id: id, label: label ?? "")
    }
  }

  /// The session with this id or name.
  ///
  /// - Throws: ``Failure``, `ControlFailure`.
  func session(_ name: String, for operation: ControlOperation) async throws -> String {
    // A stored session that is not running has no entry in the list.
    if name.wholeMatch(of: /[0-9a-f]{16}/) != nil { return name }
    let sessions = try await allSessions()
    let found = sessions.filter { $0.id == name || $0.label == name }
    if found.count == 1 { return found[0].id }
    guard !found.isEmpty else {
      throw Failure.noInput("There is no session \(AnswerText.printable(name)).\(Self.list(sessions))")
    }
    throw Failure.usage(
      "Several sessions are called \(AnswerText.printable(name)). Name one by its id.\(Self.list(found))")
  }

  /// The sessions that run.
  func allSessions() async throws -> [Item] {
    guard let listing = table["listSessions"] else { return [] }
    let answer = try await connection.send(ControlCall(listing))
    return (answer?["sessions"]?.arrayValue ?? []).compactMap { session in
      session["id"]?.stringValue.map { Item(id: $0, label: session["name"]?.stringValue ?? "") }
    }
  }

  /// The only thing that a variable can name.
  ///
  /// - Throws: ``Failure`` if there is nothing, or more than one; `ControlFailure`.
  func only(_ variable: String, of operation: ControlOperation, _ given: [String: String]) async throws -> String {
    guard let items = try await items(variable, of: operation, given) else {
      throw Failure.usage("The name of the \(variable) is missing.")
    }
    if items.count == 1 { return items[0].id }
    let how = variable == ControlOperation.session ? "Name one with \(sessionArgument)." : "Name one of them."
    guard !items.isEmpty else {
      throw Failure.noInput(
        variable == ControlOperation.session
          ? "No session runs. Open a page of the site, or make a session: footbridge ctl sessions create."
          : "There is no \(variable) at the moment.")
    }
    throw Failure.usage("There is more than one \(variable). \(how)\(Self.list(items))")
  }

  private static func list(_ items: [Item]) -> String {
    items.prefix(50).map { "\n  \(AnswerText.printable($0.id))  \(AnswerText.printable($0.label))" }.joined()
  }
}
