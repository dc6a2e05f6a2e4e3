import BridgeCore
import WebServer

/// The native screen that the person sees in a page.
extension Session {
  /// Brings what is shown in line with the open sheets: the oldest, on the page that was active last.
  func showSheet() {
    let sheet = sheets.sheetForPage
    if let shown = shownSheet, shown.sheetID != sheet?.id || !shown.page.isListening {
      if shown.page.isListening {
        shown.page.host.send(event: FootbridgeAction.dismissSheet, data: ["id": .string(shown.sheetID)])
      }
      shownSheet = nil
    }
    guard let sheet, shownSheet == nil else { return }
    let listening = pages.filter(\.isListening)
    guard let page = listening.filter({ !$0.isEmbedded }).max(by: { $0.lastActivity < $1.lastActivity }) else {
      if let page = listening.max(by: { $0.lastActivity < $1.lastActivity }) { withhold(sheet, from: page) }
      return
    }
    shownSheet = (sheet.id, page)
    page.host.send(
      event: FootbridgeAction.presentSheet,
      data: ["id": .string(sheet.id), "kind": .string(sheet.kind), "content": .object(sheet.content)]
    )
  }

  /// Tells of a sheet that waits since every page of the session is in a frame of another origin's page.
  private func withhold(_ sheet: Sheet, from page: Page) {
    guard withheldSheetID != sheet.id else { return }
    withheldSheetID = sheet.id
    pageLog.note(
      "A \(sheet.kind) sheet waits: the page is in a frame of another origin's page, which could have a person click on it unseen. "
        + "Open the site in a tab of its own, name the other origin with --allow-origin, or answer the sheet with the control API."
    )
    page.host.send(event: FootbridgeAction.withholdSheet, data: ["kind": .string(sheet.kind)])
  }

  /// Whether one of the origins around a page, as its shim tells them, is neither the page's own nor one of `--allow-origin`.
  func isForeign(ancestors: JSONValue?) -> Bool {
    guard let ancestors = ancestors?.arrayValue, !ancestors.isEmpty else { return false }
    let allowed = options.wrappedValue.allowedOrigins.compactMap { HTTPOrigin($0) }
    return ancestors.contains { ancestor in
      guard let origin = ancestor.stringValue.flatMap({ HTTPOrigin($0) }) else { return true }
      return !allowed.contains(origin)
    }
  }
}
