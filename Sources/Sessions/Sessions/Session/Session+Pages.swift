import BridgeCore
import BridgeRuntime
import Delivery
import HTTP1
package import WebServer

/// The pages of a session, from their first socket to their end.
extension Session {
  /// Whether the limit of pages allows that a page opens or comes back.
  package func hasRoom(forPage shimID: String?) -> Bool {
    if pages.count < limits.pagesPerSession { return true }
    if let shimID, sessionPages.open(shimID: shimID) != nil { return true }
    limitLog.note("A session has reached its limit of pages. Further pages are refused.")
    return false
  }

  static let appEndedReason = "The app of this page has ended: calls get no answer until it is loaded again."

  /// Closes the connection of a page of an earlier launch, which does not know yet that its app has ended.
  ///
  /// - Returns: Whether the page is one of these.
  package func refuse(_ connection: WebSocketConnection, ofEarlierPage shimID: String?) -> Bool {
    guard let shimID, sessionPages.hasEndedWithApp(shimID: shimID) else { return false }
    connection.close(.appEnded, reason: Self.appEndedReason)
    return true
  }

  /// Opens the page of a new socket, or finds the page that comes back.
  ///
  /// - Parameters:
  ///   - shimID: The id under which the page comes back; nil for a client without a shim, whose page ends with its socket.
  ///   - closesEarly: Whether the browser closes the socket as soon as a navigation begins, even if the page stays.
  /// - Returns: The page.
  @discardableResult
  package func open(
    _ connection: WebSocketConnection, shimID: String?, document: ServedDocument?, hasInvalidTicket: Bool = false,
    closesEarly: Bool = false
  ) -> Page {
    let page: Page
    if let shimID, let known = sessionPages.open(shimID: shimID) {
      page = known
      sessionPages.returned(known)
    } else if let shimID, let cached = sessionPages.takeSuspended(shimID: shimID) {
      page = cached
      resume(page)
    } else {
      page = takeIn(shimID, PageDocument(document, hasInvalidTicket: hasInvalidTicket), isLeaving: false)
    }
    page.connected(connection, closesEarly: closesEarly)
    return page
  }

  /// Opens a page that is not open: a new one, one of an earlier run of the server, or one that has ended. A leaving page gets no callbacks: a
  /// launch begins with the first page that can receive messages.
  func takeIn(_ shimID: String?, _ document: PageDocument, isLeaving: Bool) -> Page {
    expectFormerPages()
    let former = shimID.flatMap { sessionPages.takeAbsent(shimID: $0) }
    let departed = former == nil ? shimID.flatMap { sessionPages.takeDeparted(shimID: $0) } : nil
    let page = former ?? makePage(shimID: shimID, record: nil, departed: departed)
    page.shownDocument =
      document.served == nil ? departed?.document.map { PageDocument($0) } ?? document : document
    sessionPages.add(page)
    if departed == nil || !isLeaving { noteOpened(page) }
    applyRules(of: page)
    if !isLeaving { for bridge in page.bridges { bridge.received(.opened) } }
    if let onPage = options.onPage { runHostCode { onPage(page.host) } }
    if former != nil, !isLeaving {
      tell(.formerPageConnected)
      // Store the page: its sequence numbers continue from the stored one.
      state.changed()
    }
    return page
  }

  private func noteOpened(_ page: Page) {
    page.isNotedAsOpen = true
    logFirst(page)
    journal.append(.page, page: page.id, action: "opened", data: page.document.map { ["url": .string($0.url)] })
  }

  /// Handles the close of a page's socket. A page that has said goodbye ends. Another page may come back for a while.
  ///
  /// - Parameters:
  ///   - isFinal: Whether the page has left for good.
  ///   - isEarly: Whether the browser has closed the socket because a navigation begins, or the tab closes.
  func lostConnection(of page: Page, isFinal: Bool, isEarly: Bool) {
    // A stopping server closes all sockets. The pages come back to the next server.
    if isStopping { return }
    if page.link.hasWaitingGoodbye { return runGoodbyes(of: page, waitsForMissing: true) }
    if page.link.isCached { return suspend(page) }
    if isFinal { return end(page) }
    journal.append(.page, page: page.id, action: "disconnected")
    // A page that stays has its sheet still.
    if !isEarly { shownSheets.update() }
    // It connects again at once. If its tab has closed, the goodbye may be lost.
    expectBack(page, for: isEarly ? Self.goodbyeTimeout : Self.reconnectionTime)
  }

  /// Suspends a page that the browser has put into its page cache, for as long as browsers keep pages there. Its calls continue: if it comes
  /// back, it gets their answers, and the callbacks that it has missed. Meanwhile, it is asked nothing.
  func suspend(_ page: Page) {
    let surplus = sessionPages.suspend(page)
    journal.append(.page, page: page.id, action: "suspended")
    page.host.endRequestsToPage()
    for bridge in page.bridges { bridge.received(.expected) }
    shownSheets.update()
    sessionPages.expectBack(page, for: DepartedPages.lifetime) { [weak self, weak page] in
      if let self, let page { end(page) }
    }
    if let surplus { end(surplus) }
    noteUse()
    if pages.isEmpty { onEmpty?() }
  }

  /// Opens a suspended page again.
  private func resume(_ page: Page) {
    sessionPages.add(page)
    applyRules(of: page)
    for bridge in page.bridges { bridge.received(.opened) }
  }

  /// Ends a page without a socket, unless it opens one in time.
  func expectBack(_ page: Page, for time: Duration = reconnectionTime) {
    sessionPages.expectBack(page, for: time) { [weak self, weak page] in
      if let self, let page { end(page) }
    }
  }

  /// Logs that nobody answers a message of a page. As on a device, the page itself learns nothing.
  func noteUnanswered(_ reason: String) {
    pageLog.note("\(bridgeTable.pagesChannel): \(reason)")
  }

  /// Applies the session's rules to the calls of a page, if there are any rules.
  func applyRules(of page: Page) {
    page.host.interceptor = rules.isEmpty ? nil : RuleInterceptor(page, rules)
  }

  /// Returns the answer to a page's hello: the launch, whether the server knows the page, and once a warning if its document is unknown.
  func answerToHello(_ hello: [String: JSONValue], of page: Page, resumed: Bool) -> [String: JSONValue] {
    if let url = hello["url"]?.stringValue {
      let siteOrigin = options.siteAddress
      func atSite(_ address: String) -> String {
        page.document?.siteAddress(address, siteOrigin: siteOrigin) ?? address
      }
      let referrer = atSite(hello["referrer"]?.stringValue ?? "")
      tell(.pageVisited(url: atSite(url), referrer: referrer))
    }
    var answer: [String: JSONValue] = ["launch": .string(launchID), "resumed": .bool(resumed)]
    // Frames need no warning: they never have the handlers of a main frame.
    if hello["topFrame"] == true, let warning = page.shownDocument.takeWarning() {
      answer["warning"] = .string(warning)
    }
    return answer
  }

  /// Handles the hello of a page, which can show sheets from now on.
  func greeted(_ page: Page) {
    journal.append(.page, page: page.id, action: "listening")
    if let document = page.document { arrivals.arrived(document) }
    serviceWorkers.greeted(page)
    // The page may have missed that its sheet was answered, or may have a new document. So tell it again.
    shownSheets.greeted(page)
  }

  /// Ends a page.
  func end(
    _ page: Page, _ code: WebSocketCloseCode = .normalClosure, reason: String = "The page has ended."
  ) {
    sessionPages.remove(page)
    if page.isNotedAsOpen { journal.append(.page, page: page.id, action: "ended") }
    for bridge in page.bridges { bridge.received(.ended) }
    rules.forget(pageID: page.id, shimID: page.shimID)
    serviceWorkers.ended(page.name)
    page.end(code, reason: reason)
    if let shimID = page.shimID {
      state.ended(pageID: shimID)
      sessionPages.remember(page, shimID: shimID, at: serverClock.now)
    }
    shownSheets.remove(page)
    noteUse()
    if pages.isEmpty { onEmpty?() }
  }

  /// Creates a page without opening it: a new one, one of an earlier run from its record, or one that has ended.
  func makePage(shimID: String?, record: PageRecord?, departed: DepartedPages.Page? = nil) -> Page {
    let page = Page(
      name: departed?.name ?? journal.newPageName(), shimID: shimID, record: record, session: self)
    page.makeBridges()
    if let departed { page.link.remember(departed.link) }
    return page
  }

  /// Whether a frame around the page has an origin that is neither allowed by `--allow-origin` nor the dashboard's, whose stage shows the
  /// site. The shim reports the origins of these frames.
  func isForeign(ancestors: JSONValue?) -> Bool {
    guard let ancestors = ancestors?.arrayValue, !ancestors.isEmpty else { return false }
    let allowed = options.allowedOrigins
    return ancestors.contains { ancestor in
      guard let origin = ancestor.stringValue.flatMap({ HTTPOrigin($0) }) else { return true }
      return !allowed.contains(origin) && !stageOrigins.contains(origin.description)
    }
  }
}

/// Pages of an earlier run of the server, which may come back.
extension Session {
  /// Expects pages of an earlier run of the server, for as long as a page without a socket.
  func expect(_ records: [String: PageRecord]) {
    if records.isEmpty { return }
    sessionPages.expect(records)
    Task { [weak self] in
      try? await Task.sleep(for: Self.reconnectionTime)
      self?.forgetAbsentPages()
    }
  }

  /// Creates the pages that have not come back yet, since the first page opens. From now on, messages to them are queued.
  func expectFormerPages() {
    for (shimID, record) in sessionPages.takeFormerRecords() {
      let page = makePage(shimID: shimID, record: record)
      for bridge in page.bridges { bridge.received(.expected) }
      sessionPages.addAbsent(page, shimID: shimID)
    }
  }

  /// Ends the pages that have not come back.
  func forgetAbsentPages() {
    for (shimID, _) in sessionPages.takeFormerRecords() { state.ended(pageID: shimID) }
    for (shimID, page) in sessionPages.takeAllAbsent() {
      for bridge in page.bridges { bridge.received(.ended) }
      page.end(.normalClosure, reason: "The page did not come back.")
      state.ended(pageID: shimID)
    }
  }
}

extension Session {
  /// Whether a page gets an answer soon: a call is being handled, or an answer is being stored. Calls that wait for a person, a gate or a
  /// delay do not count: they continue after a restart of the server.
  package var isAnswering: Bool {
    if state.isUnstored { return true }
    guard sheets.open.isEmpty, !rules.isHolding else { return false }
    return pages.contains { $0.link.isAnswering }
  }
}
