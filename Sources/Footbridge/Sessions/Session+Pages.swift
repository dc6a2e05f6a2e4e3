import BridgeCore
import BridgeRuntime
import OnsideKit
import WebServer

/// The pages of a session, from their first socket to their end.
extension Session {
  /// Whether a page may open, or come back.
  func hasRoom(forPage shimID: String?) -> Bool {
    if pages.count < limits.pagesPerSession { return true }
    if let shimID, pages.contains(where: { $0.shimID == shimID }) { return true }
    onBound?("A session has as many pages as it may have; further ones are refused.")
    return false
  }

  /// A page opened a socket. `shimID`, by which the page comes back, is nil for a client without a shim, which gets a page that lives as
  /// long as its socket.
  func open(
    _ connection: WebSocketConnection, shimID: String?, document: ServedDocument?, hasInvalidTicket: Bool = false
  ) {
    let page: Page
    if let shimID, let known = pages.first(where: { $0.shimID == shimID }) {
      page = known
      endings.removeValue(forKey: known.id)?.cancel()
    } else {
      page = takeIn(shimID, document, isLeaving: false)
      page.ticket = document != nil ? .good : hasInvalidTicket ? .invalid : .missing
    }
    page.connected(connection)
  }

  /// Takes in a page that is not open: a new one, one of an earlier run of the server, or one that has ended before. One that is leaving is
  /// told nothing: the launch begins with the first page that can hear of it.
  func takeIn(_ shimID: String?, _ document: ServedDocument?, isLeaving: Bool) -> Page {
    expectFormerPages()
    let former = shimID.flatMap { absentPages.removeValue(forKey: $0) }
    let departed = former == nil ? shimID.flatMap { departedPages.take($0) } : nil
    let page = former ?? makePage(shimID: shimID, record: nil, departed: departed)
    page.document = document ?? departed?.document
    pages.append(page)
    if departed == nil || !isLeaving { noteOpened(page) }
    decideOutcomes(of: page)
    let onsideJS = onsidePages[page.id] ?? OnsideJS(onside)
    if !isLeaving { onsideJS.configure(host: page.host) }
    onsidePages[page.id] = onsideJS
    page.host.register(
      family: PageHandlers(page, onside: onsideJS, today: today, gbg: gbg, sheets: sheets))
    gbg.configure(page)
    options.wrappedValue.onPage?(page.host)
    if former != nil, !isLeaving {
      onside.continueFormerLaunch()
      // The page's numbers go on only when that is kept.
      state.changed()
    }
    return page
  }

  private func noteOpened(_ page: Page) {
    page.isNotedAsOpen = true
    journal.append(.page, page: page.id, action: "opened", data: page.document.map { ["url": .string($0.url)] })
  }

  /// A page's socket is closed. A page that said goodbye has ended; another may come back for a while.
  func lostConnection(of page: Page, isFinal: Bool) {
    // A server that stops says goodbye to its pages; they come back to the next one.
    if isStopping { return }
    if page.goodbyes.isWaiting { return runGoodbyes(of: page, waitsForMissing: true) }
    if isFinal { return end(page) }
    journal.append(.page, page: page.id, action: "disconnected")
    showSheet()
    endings[page.id]?.cancel()
    endings[page.id] = Task { [weak self, weak page] in
      do { try await Task.sleep(for: Self.reconnectionTime) } catch { return }
      if let self, let page { end(page) }
    }
  }

  /// A page has posted something that nobody answers. It is not told, as on a device, but its developer is.
  func noteUnanswered(_ reason: String) {
    pageLog.note("gbgBridge: \(reason)")
  }

  /// Has the session's rules decide about the calls of a page, while there are any.
  func decideOutcomes(of page: Page) {
    page.host.interceptor = outcomes.isEmpty ? nil : PageOutcomes(page, outcomes)
  }

  /// What a page is told when it says hello: the launch, whether the server remembers the page, and once that its document is not known.
  func answerToHello(_ hello: [String: JSONValue], of page: Page, resumed: Bool) -> [String: JSONValue] {
    if let url = hello["url"]?.stringValue {
      let siteOrigin = options.wrappedValue.siteOrigin
      func atSite(_ address: String) -> String {
        page.document?.siteAddress(address, siteOrigin: siteOrigin) ?? address
      }
      // The page is told nothing of it, and need not wait for the disk.
      state.quietly {
        onside.noteVisit(url: atSite(url), referrer: atSite(hello["referrer"]?.stringValue ?? ""))
      }
    }
    var answer: [String: JSONValue] = ["launch": .string(launchID), "resumed": .bool(resumed)]
    // A frame has no main-frame handlers that it could miss.
    if hello["topFrame"] == true, let warning = page.takeWarning() { answer["warning"] = .string(warning) }
    return answer
  }

  /// A page has said hello and can show a sheet.
  func greeted(_ page: Page) {
    journal.append(.page, page: page.id, action: "listening")
    if let document = page.document { arrivals.arrived(document) }
    // The page may have been away while its sheet was answered, or be a new document: it is told anew.
    if shownSheet?.page === page { shownSheet = nil }
    showSheet()
  }

  /// A page has gone for good.
  func end(
    _ page: Page, _ code: WebSocketCloseCode = .normalClosure, reason: String = "The page has ended."
  ) {
    pages.removeAll { $0 === page }
    if page.isNotedAsOpen { journal.append(.page, page: page.id, action: "ended") }
    endings.removeValue(forKey: page.id)?.cancel()
    onsidePages.removeValue(forKey: page.id)?.detach()
    today.leave(page)
    outcomes.forget(pageID: page.id)
    page.end(code, reason: reason)
    if let shimID = page.shimID {
      state.ended(pageID: shimID)
      departedPages.remember(page.departed, as: shimID, at: serverClock.now)
    }
    if shownSheet?.page === page { shownSheet = nil }
    showSheet()
    lastUse = serverClock.now
    if pages.isEmpty { onEmpty?() }
  }

  /// A page that is not open yet, one of an earlier run by what that has left of it, or one that has ended before.
  func makePage(shimID: String?, record: PageRecord?, departed: DepartedPages.Page? = nil) -> Page {
    let page = Page(
      name: departed?.name ?? journal.newPageName(), shimID: shimID, record: record, session: self,
      hostVersion: gbg.hostVersion)
    if let departed { page.rememberBeing(departed) }
    return page
  }

  /// A page has tracked an event. What it is not told, because the call never fails, its developer is.
  func tell(of event: OnsideTrackedEvent) {
    for remark in event.remarks { pageLog.note("onside.trackEvent: \(event.name): \(remark)") }
  }
}
