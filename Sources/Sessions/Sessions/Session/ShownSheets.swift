import BridgeCore
import BridgeRuntime

/// The sheets that the person sees. ``SheetPlacement`` decides which page shows which.
@BridgeActor
final class ShownSheets {
  private let sheets: SessionSheets
  private let pages: SessionPages
  private let log: PageLog
  private var placement = SheetPlacement()

  init(_ sheets: SessionSheets, pages: SessionPages, log: PageLog) {
    self.sheets = sheets
    self.pages = pages
    self.log = log
  }

  /// Updates the shown sheets after a change of sheets or pages.
  func update() {
    let open = sheets.sheetsForPages
    let listening = pages.open.filter(\.isListening)
    let candidates = listening.map { page in
      SheetPlacement.Candidate(
        id: page.host.id, isEmbedded: page.shownDocument.isEmbedded, lastActivity: page.lastActivity)
    }
    let waiting = open.map { SheetPlacement.Waiting(id: $0.sheet.id, asker: $0.asker) }
    func sheet(_ id: String) -> Sheet? { open.first { $0.sheet.id == id }?.sheet }
    for action in placement.update(waiting, listening: candidates) {
      switch action {
      case .present(let sheetID, let id):
        if let sheet = sheet(sheetID), let page = page(id) { present(sheet, on: page) }
      case .dismiss(let sheetID, let id):
        page(id)?.host.send(event: FootbridgeAction.dismissSheet, data: ["id": .string(sheetID)])
      case .withhold(let sheetID, let id):
        if let sheet = sheet(sheetID), let page = page(id) { withhold(sheet, from: page) }
      }
    }
  }

  /// Tells a page that has said hello of its sheet again: its document may not show it yet, or may have missed that it was answered.
  func greeted(_ page: Page) {
    placement.greeted(page.host.id)
    update()
  }

  /// Removes a page that has ended. Other pages can show its sheets.
  func remove(_ page: Page) {
    sheets.forget(asker: page.host.id)
    placement.forget(page.host.id)
    update()
  }

  /// Tells a page, and the log, that its request waits for a sheet on another page, and where that sheet is.
  func noteWaiting(_ asker: BridgeHost.ID) {
    sheets.showWhatIsOpen()
    guard let waiting = page(asker), let sheetID = placement.sheetElsewhere(than: asker),
      let sheet = sheets.open.first(where: { $0.sheet.id == sheetID })?.sheet,
      let other = placement.page(showing: sheetID).flatMap(page)
    else { return }
    let place = other.document.map { "\(other.id), \($0.url)" } ?? other.id
    let reason =
      "A request of \(waiting.id) waits: a \(sheet.kind) sheet is open on another page of the session (\(place)). "
      + "Answer it there, or with the control API."
    log.note(reason)
    var data: [String: JSONValue] = ["reason": .string(reason), "elsewhere": true]
    data.merge(settings(of: other)) { former, _ in former }
    waiting.host.send(event: FootbridgeAction.withholdSheet, data: data)
  }

  private func page(_ id: BridgeHost.ID) -> Page? { pages.open.first { $0.host.id == id } }

  private func settings(of page: Page) -> [String: JSONValue] {
    page.session.bridges.reduce(into: [:]) { settings, bridge in
      settings.merge(bridge.sheetSettings) { former, _ in former }
    }
  }

  private func present(_ sheet: Sheet, on page: Page) {
    var data: [String: JSONValue] = [
      "id": .string(sheet.id), "kind": .string(sheet.kind), "content": .object(sheet.content),
    ]
    data.merge(settings(of: page)) { former, _ in former }
    if let app = page.session.options.app { data["app"] = app.json }
    page.host.send(event: FootbridgeAction.presentSheet, data: data)
  }

  /// Logs that a sheet waits, because each page of the session is in a frame of a page of another origin.
  private func withhold(_ sheet: Sheet, from page: Page) {
    let reason =
      "A \(sheet.kind) sheet waits: the page is in a frame of another origin's page, which could make a person click on it unseen. "
      + "Open the site in its own tab, allow the other origin with --allow-origin, or answer the sheet with the control API."
    log.note(reason)
    page.host.send(event: FootbridgeAction.withholdSheet, data: ["reason": .string(reason)])
  }
}
