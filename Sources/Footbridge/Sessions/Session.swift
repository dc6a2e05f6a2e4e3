import BridgeCore
import BridgeRuntime
import Logging
import Onside
import WebServer

/// One installed app on one device, as the page sees it. A browser profile gets its own by cookie, so that parallel tests never meet.
@BridgeActor
final class Session {
  /// What the session is known by.
  nonisolated let key: SessionKey
  /// How much the session's pages may ask for.
  nonisolated var limits: FootbridgeLimits { options.wrappedValue.limits }
  /// Called when one of them has asked for more, with a sentence for the log.
  var onBound: ((String) -> Void)?
  /// The session's clock.
  nonisolated let clock: SessionClock
  /// The session's source of identifiers.
  nonisolated let random: BridgeRandom
  /// The native screens that wait for an answer.
  let sheets: SessionSheets
  /// What is decided on purpose.
  let outcomes: SessionOutcomes
  /// The Today host.
  let today: SessionToday
  /// What has happened in the session.
  let journal: Journal
  /// The session's durable state.
  let state: SessionState
  /// The app's store.
  let onside: Onside
  /// The pages that are open, oldest first.
  private(set) var pages: [Page] = []
  /// The documents whose pages are about to come.
  private(set) lazy var arrivals = DocumentArrivals()

  /// When the session was last asked for, or its last page ended, by the server's clock.
  var lastUse: BridgeInstant
  /// Called when the last page has ended.
  var onEmpty: (() -> Void)?

  nonisolated let options: Shared<FootbridgeOptions>
  private let pageLog: PageLog
  private let serverClock: any BridgeClock
  private let gbg: GBGSession
  private var onsidePages: [String: OnsideJS] = [:]
  private let launchID: String
  private var activePageID: String?
  private var shown: (sheetID: String, page: Page)?
  private var endings: [String: Task<Void, Never>] = [:]
  /// What an earlier run of the server has left of its pages, until the first page opens.
  private var formerPages: [String: PageRecord] = [:]
  /// The pages of an earlier run that have not come back yet. What happens meanwhile is noted for them.
  private var absentPages: [String: Page] = [:]
  private var isStopping = false
  private var willRelease = false

  /// How long a page that lost its socket may take to come back.
  static let reconnectionTime = Duration.seconds(30)

  /// Launches the app: with the state that the last launch left or, in a new session, with `newRecord` and `firstScenario`.
  init(
    key: SessionKey,
    options: Shared<FootbridgeOptions>,
    logger: Logger,
    historySigner: any HistorySigner,
    today: TodayBackend,
    writer: StateWriter?,
    stored: StoredSession?,
    newRecord: SessionRecord,
    journal: Journal?,
    firstScenario: String?,
    deviceID: String,
    clock: any BridgeClock,
    random: BridgeRandom
  ) {
    self.key = key
    self.options = options
    let options = options.wrappedValue
    pageLog = PageLog(session: key.id, logger: logger, clock: clock)
    self.random = random
    var record = stored?.record ?? newRecord
    let profile = record.profile
    serverClock = clock
    lastUse = clock.now
    self.clock = SessionClock(profile.time, server: clock)
    self.journal = journal ?? Journal(clock: self.clock)
    self.journal.clock = self.clock
    launchID = random.uuid()
    self.today = SessionToday(
      today, deviceID: deviceID, launchID: launchID, profile: profile,
      platform: profile.platform ?? options.platform, clock: self.clock, random: random, log: pageLog)
    outcomes = SessionOutcomes(clock: self.clock)
    sheets = SessionSheets(mode: profile.present ?? options.present, clock: self.clock, journal: self.journal)
    sheets.outcomes = outcomes
    gbg = GBGSession(options.gbg, presenter: sheets, random: random)
    // What sessions have in common they share for as long as it is the same.
    let contract = profile.onsideContract ?? options.onside.settings.contract
    if record.onside.settings.contract != contract { record.onside.settings.contract = contract }
    let state = SessionState(key: key, record: record, writer: writer, logger: logger)
    self.state = state
    onside = Onside(
      configuration: options.$onside,
      state: record.onside,
      clock: self.clock,
      random: random,
      presenter: sheets,
      historySigner: historySigner,
      onStateChange: { [journal = self.journal] changed in
        journal.appendChanges(from: state.record.onside, to: changed)
        state.record.onside = changed
      }
    )
    if onside.state != record.onside { record.onside = onside.state }
    state.begin(with: record)
    state.delegate = self
    expect(stored?.pages ?? [:])
    self.today.onCookiesChange = { cookies in
      if state.record.profile.cookies != cookies { state.record.profile.cookies = cookies }
    }
    sheets.onChange = { [weak self] in self?.showSheet() }
    onside.onEventTracked = { [weak self] in self?.tell(of: $0) }
    onside.onBound = { [weak self] in self?.onBound?($0) }
    outcomes.onDecision = { [journal = self.journal] in journal.note($0, about: $1) }
    outcomes.onGate = { [journal = self.journal] in journal.note(gate: $0, $1, isOpen: $2) }
    onside.decideOutcome = { [outcomes] flow, data in outcomes.decide(flow, data) }
    beginFirstScenario(firstScenario, isNew: stored == nil)
  }

  /// What the control API and the log call the session.
  nonisolated var id: String { key.id }

  /// Ends the launch: its pages go, and nothing more is kept.
  func end() {
    for page in pages { end(page, .appEnded, reason: "The app has ended.") }
    forgetAbsentPages()
    onside.terminate()
    outcomes.end()
  }

  // MARK: The profile

  /// What is set about the session; a change takes effect at once. What a page was told of its platform stays until it is loaded anew.
  var profile: SessionProfile {
    get { state.record.profile }
    set {
      let old = profile
      state.record.profile = newValue
      apply(newValue, insteadOf: old)
    }
  }

  private func apply(_ profile: SessionProfile, insteadOf old: SessionProfile) {
    sheets.mode = profile.present ?? options.wrappedValue.present
    today.platform = profile.platform ?? options.wrappedValue.platform
    if profile.isSignedInToToday != old.isSignedInToToday {
      today.setSignedIn(profile.isSignedInToToday ?? options.wrappedValue.today.isSignedIn)
    }
    let contract = profile.onsideContract ?? options.wrappedValue.onside.settings.contract
    if onside.settings.contract != contract { onside.settings.contract = contract }
  }

  /// The platform that pages are told.
  var platform: Platform { profile.platform ?? options.wrappedValue.platform }

  /// Stops the session's clock, or has it go on from where it stands, and then puts it to `now`, if there is such.
  func setClock(frozen: Bool? = nil, now: BridgeInstant? = nil) {
    if let frozen { clock.setFrozen(frozen) }
    if let now { clock.set(now) }
    profile.time = clock.time
  }

  /// The server stops. Returns when what has happened is kept.
  func stop() async {
    isStopping = true
    _ = await state.kept()
  }

  /// Pages of an earlier run of the server may come back, for as long as any that has lost its socket.
  private func expect(_ records: [String: PageRecord]) {
    if records.isEmpty { return }
    formerPages = records
    Task { [weak self] in
      try? await Task.sleep(for: Self.reconnectionTime)
      self?.forgetAbsentPages()
    }
  }

  /// The first page opens, which sets things going: from now on there is something to be noted for those that are still away.
  private func expectFormerPages() {
    let records = formerPages.sorted { $0.key < $1.key }
    formerPages = [:]
    for (shimID, record) in records {
      let page = makePage(shimID: shimID, record: record)
      let onsideJS = OnsideJS(onside)
      onsideJS.expect(host: page.host)
      onsidePages[page.id] = onsideJS
      absentPages[shimID] = page
    }
  }

  private func forgetAbsentPages() {
    for id in formerPages.keys { state.ended(pageID: id) }
    formerPages = [:]
    for (id, page) in absentPages {
      onsidePages.removeValue(forKey: page.id)?.detach()
      page.end(.normalClosure, reason: "The page did not come back.")
      state.ended(pageID: id)
    }
    absentPages = [:]
  }

  private func makePage(shimID: String?, record: PageRecord?) -> Page {
    Page(id: journal.newPageID(), shimID: shimID, record: record, session: self, hostVersion: gbg.hostVersion)
  }

  /// A page has tracked an event. What it is not told, because the call never fails, its developer is.
  private func tell(of event: OnsideTrackedEvent) {
    for remark in event.remarks { pageLog.note("onside.trackEvent: \(event.name): \(remark)") }
  }

  /// The `TransactionHistory` of one of the session's orders; nil when it has no such order.
  func transactionHistory(ofOrder orderID: String) -> JSONValue? { onside.transactionHistory(ofOrder: orderID) }

  // MARK: Pages

  /// Whether a page may open, or come back.
  func hasRoom(forPage shimID: String?) -> Bool {
    if pages.count < limits.pagesPerSession { return true }
    if let shimID, pages.contains(where: { $0.shimID == shimID }) { return true }
    onBound?("A session has as many pages as it may have; further ones are refused.")
    return false
  }

  /// A page opened a socket. `shimID`, by which the page comes back, is nil for a client without a shim, which gets a page that lives as
  /// long as its socket.
  func open(_ connection: WebSocketConnection, shimID: String?, document: ServedDocument?) {
    let page: Page
    if let shimID, let known = pages.first(where: { $0.shimID == shimID }) {
      page = known
      endings.removeValue(forKey: known.id)?.cancel()
    } else {
      expectFormerPages()
      let former = shimID.flatMap { absentPages.removeValue(forKey: $0) }
      page = former ?? makePage(shimID: shimID, record: nil)
      page.document = document
      pages.append(page)
      journal.append(.page, page: page.id, action: "opened", data: document.map { ["url": .string($0.url)] })
      page.host.interceptor = PageOutcomes(page, outcomes)
      let onsideJS = onsidePages[page.id] ?? OnsideJS(onside)
      onsideJS.configure(host: page.host)
      onsidePages[page.id] = onsideJS
      page.host.register(
        family: PageHandlers(page, onside: onsideJS, today: today, gbg: gbg, sheets: sheets))
      gbg.configure(page)
      options.wrappedValue.onPage?(page.host)
      if former != nil {
        onside.continueFormerLaunch()
        // The page's numbers go on only when that is kept.
        state.changed()
      }
    }
    page.connected(connection)
  }

  /// A page's socket is closed. A page that said goodbye has ended; another may come back for a while.
  func lostConnection(of page: Page, isFinal: Bool) {
    // A server that stops says goodbye to its pages; they come back to the next one.
    if isStopping { return }
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

  /// A page has sent something: native screens that open now open over it.
  func wasActive(_ page: Page) {
    activePageID = page.id
  }

  /// What a page is told when it says hello: the launch, and whether the server remembers the page.
  func answerToHello(_ hello: [String: JSONValue], of page: Page, resumed: Bool) -> [String: JSONValue] {
    if let url = hello["url"]?.stringValue {
      let siteOrigin = options.wrappedValue.siteOrigin
      func atSite(_ address: String) -> String {
        page.document?.siteAddress(address, siteOrigin: siteOrigin) ?? address
      }
      onside.noteVisit(url: atSite(url), referrer: atSite(hello["referrer"]?.stringValue ?? ""))
    }
    return ["launch": .string(launchID), "resumed": .bool(resumed)]
  }

  /// A page has said hello and can show a sheet.
  func greeted(_ page: Page) {
    journal.append(.page, page: page.id, action: "listening")
    if let document = page.document { arrivals.arrived(document) }
    // The page may have been away while its sheet was answered, or be a new document: it is told anew.
    if shown?.page === page { shown = nil }
    showSheet()
  }

  private func end(
    _ page: Page, _ code: WebSocketCloseCode = .normalClosure, reason: String = "The page has ended."
  ) {
    pages.removeAll { $0 === page }
    journal.append(.page, page: page.id, action: "ended")
    endings.removeValue(forKey: page.id)?.cancel()
    onsidePages.removeValue(forKey: page.id)?.detach()
    today.leave(page)
    outcomes.forget(pageID: page.id)
    page.end(code, reason: reason)
    if let shimID = page.shimID { state.ended(pageID: shimID) }
    if shown?.page === page { shown = nil }
    showSheet()
    lastUse = serverClock.now
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
    guard let page = listening.first(where: { $0.id == activePageID }) ?? listening.last else { return }
    shown = (sheet.id, page)
    page.host.send(
      event: FootbridgeAction.presentSheet,
      data: ["id": .string(sheet.id), "kind": .string(sheet.kind), "content": .object(sheet.content)]
    )
  }
}

// MARK: - The store

extension Session: SessionStateDelegate {
  /// Has pages send what waits once the present turn is over: whatever it changes is known then.
  func releaseAfterTurn() {
    if willRelease { return }
    willRelease = true
    Task { [weak self] in
      guard let self else { return }
      willRelease = false
      for page in pages { page.release() }
    }
  }

  /// The pages, those included that have not come back yet.
  private var allPages: [Page] { pages + absentPages.values }

  func takeJournals() -> [PageJournal] { allPages.compactMap { $0.takeJournal() } }

  func stateWasKept() {
    for page in allPages { page.journalWasKept() }
  }

  func stateWasLost(goingBackTo record: SessionRecord, from lost: SessionRecord) {
    onside.rollBack(to: record.onside)
    clock.goBack(to: record.profile.time)
    apply(record.profile, insteadOf: lost.profile)
    for page in allPages { page.undo() }
    releaseAfterTurn()
  }

  func stateMayBeKeptAgain() {
    onside.goOn()
  }
}
