public import BridgeCore
public import BridgeRuntime
import Footbridge

/// A session of a ``TestServer``: one installed app on one device.
@BridgeActor
public final class TestSession {
  let inner: InProcessSession
  private var expectedSheets: Set<String> = []

  init(of server: FootbridgeServer, name: String) {
    inner = InProcessSession(of: server, name: name)
  }

  /// The id of the session in the control API.
  public nonisolated var id: String { inner.id }

  /// The cookie, as `name=value`, that puts a browser or another client into the session.
  public nonisolated var cookie: String { "\(InProcessSession.cookieName)=\(inner.cookieValue)" }

  /// The phone around the app.
  public var device: TestDevice { TestDevice(inner) }

  /// The journal of the session.
  public var journal: TestJournal { TestJournal(inner) }

  /// Opens a page, which says hello as the shim does. Returns after the host has answered.
  ///
  /// - Parameter target: The path and query of its document. The server treats it as a main frame's document that it has served. Nil for a
  ///   document that the server does not know.
  /// - Throws: ``ExpectationError`` if the server has stopped.
  @discardableResult
  public func openPage(at target: String? = "/") async throws(ExpectationError) -> TestPage {
    let page = TestPage(in: self, target: target)
    try await page.connect()
    return page
  }

  /// Waits for a native screen, such as `login` or `payment`. Each sheet is returned once.
  ///
  ///     let purchase = Task { try await page.call("onside.purchase", ["productIdentifier": "coins"]) }
  ///     try await session.sheet("payment").approve()
  ///     _ = try await purchase.value
  ///
  /// - Throws: ``ExpectationError`` if no such sheet opens within `timeout`. It lists the nearest entries.
  public func sheet(_ kind: String, within timeout: Duration = .usualPatience) async throws -> TestSheet {
    var cursor = 0
    while true {
      let entry = try await journal.first(.sheetOpened, action: kind, after: cursor, within: timeout)
      cursor = entry.cursor
      guard let id = entry.data?["id"]?.stringValue, !expectedSheets.contains(id) else { continue }
      guard let sheet = inner.sheets.first(where: { $0.id == id }) else { continue }
      expectedSheets.insert(id)
      return TestSheet(sheet, of: self)
    }
  }

  /// Ends the app's process and starts it again. Its pages end. Stored state stays.
  public func relaunch() { inner.relaunch() }
}

/// A native screen that waits for an answer.
@BridgeActor
public struct TestSheet {
  /// The screen: its kind and its content.
  public nonisolated let sheet: Sheet
  private let session: TestSession

  init(_ sheet: Sheet, of session: TestSession) {
    self.sheet = sheet
    self.session = session
  }

  /// Approves the sheet with these choices, such as the `account` of a login.
  ///
  /// - Throws: ``ExpectationError`` if the sheet is no longer open.
  public func approve(_ fields: [String: JSONValue] = [:]) throws(ExpectationError) { try answer(.approve(fields)) }

  /// Dismisses the sheet.
  ///
  /// - Throws: ``ExpectationError`` if the sheet is no longer open.
  public func cancel() throws(ExpectationError) { try answer(.cancel) }

  private func answer(_ answer: SheetAnswer) throws(ExpectationError) {
    if !session.inner.answer(sheet, with: answer) {
      throw ExpectationError("The sheet \(sheet.kind) is not open any more: it was answered, or its caller gave up.")
    }
  }
}
