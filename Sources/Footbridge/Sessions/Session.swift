import BridgeCore
import BridgeRuntime
import Logging
import Onside
import WebServer

/// One installed app on one device, as the page sees it. A browser profile gets its own by cookie, so that parallel tests never meet.
@BridgeActor
final class Session {
  /// The value of the session's cookie: whoever knows it is in the session.
  nonisolated let id: String
  /// The session's clock.
  nonisolated let clock: any BridgeClock
  /// The session's source of identifiers.
  nonisolated let random: BridgeRandom
  /// The native screens that wait for an answer.
  let sheets: SessionSheets
  /// The Today host.
  let today: SessionToday
  /// The session's durable state.
  let state: SessionState
  /// The pages that are open, oldest first.
  private(set) var pages: [Page] = []

  /// The events that pages have tracked, oldest first, with what was cut and dropped; the last thousand.
  private(set) var trackedEvents: [OnsideTrackedEvent] = []
  /// Called when the last page has ended.
  var onEmpty: (() -> Void)?

  private let logger: Logger
  private let onside: Onside
  private let gbg: GBGSession
  private var onsidePages: [String: OnsideJS] = [:]
  private let onPage: (@Sendable @BridgeActor (BridgeHost) -> Void)?
  private let launchID: String
  private weak var activePage: Page?
  private var shown: (sheetID: String, page: Page)?
  private var endings: [String: Task<Void, Never>] = [:]

  /// How long a page that lost its socket may take to come back.
  static let reconnectionTime = Duration.seconds(30)

  /// Launches the app: with the state that the last launch left, or none in a new session.
  init(
    id: String,
    options: FootbridgeOptions,
    logger: Logger,
    historySigner: any HistorySigner,
    today: TodayBackend,
    store: SessionStore?,
    state: OnsideState?,
    clock: any BridgeClock,
    random: BridgeRandom
  ) {
    self.id = id
    self.logger = logger
    self.clock = clock
    self.random = random
    launchID = random.uuid()
    self.today = SessionToday(today, sessionID: id, launchID: launchID, logger: logger)
    onPage = options.onPage
    sheets = SessionSheets(mode: options.present)
    gbg = GBGSession(options.gbg, presenter: sheets, random: random)
    let sessionState = SessionState(sessionID: id, store: store, logger: logger)
    self.state = sessionState
    onside = Onside(
      configuration: options.onside,
      state: state,
      clock: clock,
      random: random,
      presenter: sheets,
      historySigner: historySigner,
      onStateChange: { sessionState.changed($0) }
    )
    sessionState.onKept = { [weak self] in
      for page in self?.pages ?? [] { page.sendHeld() }
    }
    sheets.onChange = { [weak self] in self?.showSheet() }
    onside.onEventTracked = { [weak self] in self?.keep($0) }
  }

  /// Ends the session: the app is removed from the device.
  func end() {
    for page in pages { end(page) }
    onside.terminate()
  }

  /// Keeps an event. What the page is not told, because the call never fails, its developer is.
  private func keep(_ event: OnsideTrackedEvent) {
    trackedEvents.append(event)
    if trackedEvents.count > 2000 { trackedEvents.removeFirst(1000) }
    for remark in event.remarks { logger.warning("onside.trackEvent: \(event.name): \(remark)") }
  }

  /// The `TransactionHistory` of one of the session's orders; nil when it has no such order.
  func transactionHistory(ofOrder orderID: String) -> JSONValue? { onside.transactionHistory(ofOrder: orderID) }

  // MARK: Pages

  /// A page opened a socket. `pageID` is nil for a client without a shim, which gets a page that lives as long as its socket.
  func open(_ connection: WebSocketConnection, pageID: String?, document: ServedDocument?) {
    let page: Page
    if let pageID, let known = pages.first(where: { $0.id == pageID }) {
      page = known
      endings.removeValue(forKey: pageID)?.cancel()
    } else {
      page = Page(
        id: pageID ?? random.uuid(),
        isResumable: pageID != nil,
        document: document,
        session: self,
        hostVersion: gbg.hostVersion
      )
      pages.append(page)
      page.host.register(handler: AnswerSheetHandler(sheets))
      let onsideJS = OnsideJS(onside)
      onsideJS.configure(host: page.host)
      onsidePages[page.id] = onsideJS
      today.join(page)
      gbg.configure(page)
      onPage?(page.host)
    }
    page.connected(connection)
  }

  /// A page's socket is closed. A page that said goodbye has ended; another may come back for a while.
  func lostConnection(of page: Page, isFinal: Bool) {
    if isFinal { return end(page) }
    showSheet()
    endings[page.id]?.cancel()
    endings[page.id] = Task { [weak self, weak page] in
      do { try await Task.sleep(for: Self.reconnectionTime) } catch { return }
      if let self, let page { end(page) }
    }
  }

  /// A page has posted something that nobody answers. It is not told, as on a device, but its developer is.
  func noteUnanswered(_ reason: String) {
    logger.warning("gbgBridge: \(reason)")
  }

  /// A page has sent something: native screens that open now open over it.
  func wasActive(_ page: Page) {
    activePage = page
  }

  /// What a page is told when it says hello: the launch, and whether the server remembers the page.
  func answerToHello(_ hello: [String: JSONValue], resumed: Bool) -> [String: JSONValue] {
    if let url = hello["url"]?.stringValue {
      onside.noteVisit(url: url, referrer: hello["referrer"]?.stringValue ?? "")
    }
    return ["launch": .string(launchID), "resumed": .bool(resumed)]
  }

  /// A page has said hello and can show a sheet.
  func greeted(_ page: Page) {
    // The page may have been away while its sheet was answered, or be a new document: it is told anew.
    if shown?.page === page { shown = nil }
    showSheet()
  }

  private func end(_ page: Page) {
    pages.removeAll { $0 === page }
    endings.removeValue(forKey: page.id)?.cancel()
    onsidePages.removeValue(forKey: page.id)?.detach()
    today.leave(page)
    page.end()
    if shown?.page === page { shown = nil }
    showSheet()
    if pages.isEmpty { onEmpty?() }
  }

  /// Brings what is shown in line with the open sheets: the oldest, on the page that was active last.
  private func showSheet() {
    let sheet = sheets.sheetForPage
    if let shown, shown.sheetID != sheet?.id || !shown.page.isListening {
      if shown.page.isListening {
        shown.page.host.send(event: FootbridgeAction.dismissSheet, data: ["id": .string(shown.sheetID)])
      }
      self.shown = nil
    }
    guard let sheet, shown == nil else { return }
    let listening = pages.filter(\.isListening)
    guard let page = listening.first(where: { $0 === activePage }) ?? listening.last else { return }
    shown = (sheet.id, page)
    page.host.send(
      event: FootbridgeAction.presentSheet,
      data: ["id": .string(sheet.id), "kind": .string(sheet.kind), "content": .object(sheet.content)]
    )
  }
}
