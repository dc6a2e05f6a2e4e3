import BridgeCore
import BridgeRuntime

/// The sheet that the person sees, and the page that shows it: the oldest open sheet, on the page that was active last.
@BridgeActor
final class ShownSheet {
  private let sheets: SessionSheets
  private let pages: SessionPages
  private let log: PageLog
  /// The sheet that is shown, and its page.
  private var shown: (sheetID: String, page: Page)?
  /// The last sheet that was logged because no page may show it.
  private var withheldSheetID: String?

  init(_ sheets: SessionSheets, pages: SessionPages, log: PageLog) {
    self.sheets = sheets
    self.pages = pages
    self.log = log
  }

  /// Updates the shown sheet after a change of sheets or pages.
  func update() {
    let sheet = sheets.sheetForPage
    if let shown, shown.sheetID != sheet?.id || !shown.page.isListening {
      if shown.page.isListening {
        shown.page.host.send(event: FootbridgeAction.dismissSheet, data: ["id": .string(shown.sheetID)])
      }
      self.shown = nil
    }
    guard let sheet, shown == nil else { return }
    let listening = pages.open.filter(\.isListening)
    guard let page = listening.filter({ !$0.presence.isEmbedded }).max(by: { $0.lastActivity < $1.lastActivity }) else {
      if let page = listening.max(by: { $0.lastActivity < $1.lastActivity }) { withhold(sheet, from: page) }
      return
    }
    shown = (sheet.id, page)
    var data: [String: JSONValue] = [
      "id": .string(sheet.id), "kind": .string(sheet.kind), "content": .object(sheet.content),
    ]
    for bridge in page.session.bridges { data.merge(bridge.sheetSettings) { former, _ in former } }
    page.host.send(event: FootbridgeAction.presentSheet, data: data)
  }

  /// A page has ended or has a new document, so it no longer shows the sheet. If it is still there, it is told of the sheet again.
  func update(without page: Page) {
    if shown?.page === page { shown = nil }
    update()
  }

  /// Logs that a sheet waits, because every page of the session is in a frame of another origin's page.
  private func withhold(_ sheet: Sheet, from page: Page) {
    guard withheldSheetID != sheet.id else { return }
    withheldSheetID = sheet.id
    let reason =
      "A \(sheet.kind) sheet waits: the page is in a frame of another origin's page, which could make a person click on it unseen. "
      + "Open the site in its own tab, allow the other origin with --allow-origin, or answer the sheet with the control API."
    log.note(reason)
    page.host.send(event: FootbridgeAction.withholdSheet, data: ["reason": .string(reason)])
  }
}
