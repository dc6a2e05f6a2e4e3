import BridgeCore

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
    guard let page = listening.max(by: { $0.lastActivity < $1.lastActivity }) else { return }
    shownSheet = (sheet.id, page)
    page.host.send(
      event: FootbridgeAction.presentSheet,
      data: ["id": .string(sheet.id), "kind": .string(sheet.kind), "content": .object(sheet.content)]
    )
  }
}
