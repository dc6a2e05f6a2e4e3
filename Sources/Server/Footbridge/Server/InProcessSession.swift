package import BridgeCore
package import BridgeRuntime
import BridgeServer
package import Sessions
import SiteServer
package import WebServer

/// A session of a server in the same process. The library `FootbridgeTesting` uses the server through this type only.
///
/// It keeps the session's id, not the `Session`, since a relaunch replaces that.
@BridgeActor
package struct InProcessSession {
  /// The result of a wait for a journal entry.
  package enum JournalEnd {
    /// The entry, as the control API shows it.
    case found(JSONValue)
    /// No such entry came in time. The nearest entries, with their differences in words.
    case missed([(entry: JSONValue, differences: [String])])
    /// The session was deleted.
    case deleted
  }

  private let server: FootbridgeServer
  /// The session's id in the control API.
  package nonisolated let id: String
  /// The value of the cookie that puts a browser into the session.
  package nonisolated let cookieValue: String

  /// Creates a new session. The server need not listen.
  package init(of server: FootbridgeServer, name: String) {
    let (session, cookieValue) = server.sessions.create(name: name, beginsUsualScenario: true)
    self.server = server
    id = session.id
    self.cookieValue = cookieValue
  }

  private var table: BridgeTable { session?.bridgeTable ?? server.sessions.bridgeTable }

  private var session: Session? { server.sessions.running(id: id) }

  /// The name of the cookie.
  package nonisolated static var cookieName: String { SessionCookie.usual.name(isSecure: false) }

  /// The action of the shim's first request on each connection.
  package nonisolated static var hello: String { FootbridgeAction.hello }

  /// The channels of `window.webkit.messageHandlers` in the session's pages, as the shim receives them.
  package var channels: [JSONValue] { ShimScript.channels(table) }

  // MARK: Pages

  /// Whether the page creates the messages of an action itself. Its script then gets the answers unchanged.
  package func isPages(_ action: String) -> Bool {
    !table.owners.owner(of: action).isMadeByShim
  }

  /// Opens the WebSocket of the page whose shim has this id. `address` is the address of its document; nil for an unknown document. Throws
  /// ``FootbridgeError/stopped``.
  package func openPage(shimID: String, address: (origin: String, target: String)?) throws -> InProcessWebSocket {
    guard let session else { throw FootbridgeError.stopped }
    let document = address.map {
      ServedDocument(origin: $0.origin, target: $0.target, frame: .main, sessionID: id)
    }
    let webSocket = try server.openWebSocket()
    session.open(webSocket.connection, shimID: shimID, document: document)
    return webSocket
  }

  // MARK: Journal

  /// The entries of the journal, as the control API shows them, oldest first.
  package var journal: [JSONValue] { session?.journal.entries(after: 0, limit: .max).entries.map(\.json) ?? [] }

  /// Waits for the first entry after a cursor that matches.
  package func waitForEntry(
    _ pattern: JSONPattern, after cursor: Int, for timeout: Duration
  ) async -> JournalEnd {
    guard let session else { return .deleted }
    switch await JournalWait(until: pattern).run(session.journal, after: cursor, timeout: timeout) {
    case .found(let entry, _): return .found(entry)
    case .timedOut(let misses): return .missed(misses.map { ($0.object, $0.differences) })
    case .ended: return .deleted
    }
  }

  // MARK: Sheets

  /// The sheets that wait for an answer, oldest first.
  package var sheets: [Sheet] { session?.sheets.open.map(\.sheet) ?? [] }

  /// Answers a sheet. Returns false if it is not open.
  package func answer(_ sheet: Sheet, with answer: SheetAnswer) -> Bool {
    session?.sheets.answer(sheet.id, with: answer) ?? false
  }

  // MARK: The device

  /// The device, as the control API shows it.
  package var device: JSONValue { session?.device.json ?? .null }

  /// Changes these members of the device. Throws `OptionError` if one is wrong.
  package func changeDevice(_ members: JSONValue) throws(OptionError) {
    guard let session else { return }
    session.change(try DeviceNode.changed(session.device, by: InputNode(members, source: "device")))
  }

  /// Opens the app, as the control API describes it. Returns the path that a launched app loads. Throws `OptionError` if the opening is wrong.
  package func open(_ opening: JSONValue) throws(OptionError) -> String {
    let (opening, isCold) = try DeviceNode.opening(InputNode(opening, source: "opening"))
    if let session {
      if isCold { server.sessions.launch(session, by: opening) } else { session.open(opening) }
    }
    return opening.path
  }

  /// Has the system end the processes of the pages.
  package func killPages() { session?.killPages() }

  // MARK: Launches

  /// Relaunches the app. Its pages end; its stored state stays.
  package func relaunch() {
    if let session { server.sessions.relaunch(session) }
  }
}
