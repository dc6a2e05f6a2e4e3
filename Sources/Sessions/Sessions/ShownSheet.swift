import BridgeCore
import BridgeRuntime

/// The native sheet that the person sees, and the page that shows it: the oldest open sheet, on the page that was active last.
@BridgeActor
final class ShownSheet {
  private let sheets: SessionSheets
  private let pages: SessionPages
  private let log: PageLog
  /// The sheet that is shown, and where.
  private var shown: (sheetID: String, page: Page)?
  /// The last sheet of which the log was told that no page may show it.
  private var withheldSheetID: String?

  init(_ sheets: SessionSheets, pages: SessionPages, log: PageLog) {
    self.sheets = sheets
    self.pages = pages
    self.log = log
  }

  /// Brings what is shown in line with the open sheets and pages.
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

  /// A page has gone, or is a new document: it does not show the sheet any more. If the page is still there, it is told of the sheet again.
  func update(without page: Page) {
    if shown?.page === page { shown = nil }
    update()
  }

  /// Tells of a sheet that waits because every page of the session is in a frame of another origin's page.
  private func withhold(_ sheet: Sheet, from page: Page) {
    guard withheldSheetID != sheet.id else { return }
    withheldSheetID = sheet.id
    let reason =
      "A \(sheet.kind) sheet waits: the page is in a frame of another origin's page, which could have a person click on it unseen. "
      + "Open the site in a tab of its own, name the other origin with --allow-origin, or answer the sheet with the control API."
    log.note(reason)
    page.host.send(event: FootbridgeAction.withholdSheet, data: ["reason": .string(reason)])
  }
}
