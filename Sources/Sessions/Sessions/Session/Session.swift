import BridgeCore
package import BridgeRuntime
import Logging
import WebServer

/// The app on one device, as its pages see it. Each browser profile has its own session, by a cookie, so parallel tests do not interfere.
@BridgeActor
package final class Session {
  /// The key of the session.
  package nonisolated let key: SessionKey
  /// The limits of the session's pages.
  package nonisolated var limits: FootbridgeLimits { options.limits }
  /// Called when a page reaches a limit, with a sentence for the log.
  var onBound: ((String) -> Void)?
  /// The session's clock.
  package nonisolated let clock: SessionClock
  /// The session's source of identifiers.
  nonisolated let random: BridgeRandom
  /// The sheets that wait for an answer.
  package let sheets: SessionSheets
  /// The rules of the session.
  package let rules: SessionRules
  /// Whether the rules are stored for the session's next server.
  let keepsRules: Bool
  /// The journal of the session.
  package let journal: Journal
  /// The linter of the session.
  package let lint: SessionLint
  /// The session's durable state.
  package let state: SessionState
  /// The bridges' parts of the session, by their indexes in ``bridgeTable``.
  package private(set) var bridges: [any SessionBridge]
  /// The bridges.
  package private(set) var bridgeTable: BridgeTable
  /// The bridges that only this session has.
  var ownBridges = OwnBridges()
  /// Receives the person's answers to sheets.
  let sheetAnswers: SheetAnswers
  /// The value of the session's cookie; nil for a stored session until a browser sends the cookie.
  package private(set) var cookieValue: Secret?
  /// The metrics of all sessions.
  let metrics: SessionMetrics
  /// The documents whose pages have not connected yet.
  package private(set) lazy var arrivals = DocumentArrivals()
  /// The service workers of the session's browser.
  package private(set) lazy var serviceWorkers = ServiceWorkers()

  /// The time of the session's last use, or of the end of its last page, on the server's clock.
  package private(set) var lastUse: BridgeInstant
  /// Whether a page has come since the launch.
  private var hasHadPage = false
  /// Whether a program has changed something in the session. The session then does not end with its pages.
  private var isDriven = false
  /// The record with which the session began.
  private var beginning: SessionRecord
  /// Called when the last page has ended.
  var onEmpty: (() -> Void)?
  /// Called when a rule kills the app.
  var onKill: (() -> Void)?
  /// Called when the store could not write the first change of this launch.
  var onLaunchLost: (() -> Void)?

  /// The options of the server.
  nonisolated var options: SessionOptions { sharedOptions.wrappedValue }
  private nonisolated let sharedOptions: Shared<SessionOptions>
  /// The server's clock.
  let serverClock: any BridgeClock
  /// The log for errors that pages do not receive.
  let pageLog: PageLog
  /// The part of the session that bridges use.
  private let launch: SessionLaunch
  /// The session's pages, open or not.
  let sessionPages = SessionPages()
  /// The sheets that the person sees.
  let shownSheets: ShownSheets

  /// Whether waiting messages are sent at the end of this turn.
  private var willRelease = false
  /// Whether the server is stopping.
  private(set) var isStopping = false

  /// The time that a page without a socket has to come back.
  static let reconnectionTime = Duration.seconds(30)

  /// Launches the app. A stored session continues with its state; a new one begins with `newRecord` and `firstScenario`.
  ///
  /// - Parameter ownBridges: The session's own bridges of the former launch on this server; nil to read the stored ones.
  init(
    key: SessionKey,
    options shared: Shared<SessionOptions>,
    logger: Logger,
    bridges started: StartedBridges,
    writer: StateWriter?,
    stored: StoredSession?,
    newRecord: SessionRecord,
    journal: Journal?,
    lint: SessionLint?,
    firstScenario: String?,
    keepsRules: Bool,
    ownBridges: OwnBridges? = nil,
    seededDeviceID: String?,
    clock: any BridgeClock,
    random: BridgeRandom,
    metrics: SessionMetrics
  ) {
    self.key = key
    self.keepsRules = keepsRules
    sharedOptions = shared
    let options = shared.wrappedValue
    pageLog = PageLog(session: key.id, logger: logger, clock: clock)
    self.random = random
    self.metrics = metrics
    let record = stored?.record ?? newRecord
    let profile = record.profile
    serverClock = clock
    lastUse = clock.now
    self.clock = SessionClock(profile.time, server: clock)
    bridgeTable = started.table
    self.journal = journal ?? Journal(clock: self.clock, bridges: started.table)
    self.journal.clock = self.clock
    self.lint =
      lint
      ?? SessionLint(started.table.lintRules, silenced: options.silencedRules, journal: self.journal, log: pageLog)
    let launchID = random.uuid()
    rules = SessionRules(clock: self.clock, random: random.stream("rules"))
    sheets = SessionSheets(mode: profile.present ?? options.present, clock: self.clock, journal: self.journal)
    sheets.rules = rules
    sheetAnswers = SheetAnswers(sheets)
    shownSheets = ShownSheets(sheets, pages: sessionPages, log: pageLog)
    beginning = newRecord
    weak var owner: Session?
    let state = SessionState(key: key, record: record, writer: writer, logger: logger) { record in
      owner?.isLasting(record) ?? true
    }
    self.state = state
    let launch = SessionLaunch(
      id: launchID, key: key, seededDeviceID: seededDeviceID, clock: self.clock, random: random, state: state,
      journal: self.journal, rules: rules, sheets: sheets, pageLog: pageLog, lint: self.lint,
      options: shared)
    self.launch = launch
    bridges = state.launch { started.makeSession { SessionContext(bridge: $0, launch) } }
    launch.session = self
    // A stored rule may be about one of them.
    launchOwnBridges(ownBridges, on: started.server)
    if let kept = profile.rules { rules.restore(kept, read: readRule) }
    state.delegate = self
    expect(stored?.pages ?? [:])
    sheets.onChange = { [weak shownSheets] in shownSheets?.update() }
    sheets.onWait = { [weak shownSheets] in shownSheets?.noteWaiting($0) }
    rules.onDecision = { [journal = self.journal, lint = self.lint] decision, subject, data in
      journal.note(decision, about: subject)
      if decision.outcome.isOther { lint.ruleDecided(decision.outcome, about: subject, data) }
    }
    rules.onKill = { [weak self] in self?.onKill?() }
    rules.onNeed = { [weak self] in
      guard let self else { return }
      for page in pages { applyRules(of: page) }
    }
    rules.onGate = { [journal = self.journal] in journal.note(gate: $0, $1, isOpen: $2) }
    owner = self
    if keepsRules {
      rules.onChange = { [weak self] kept, isAwaited in
        guard let self, state.record.profile.rules != kept else { return }
        if isAwaited {
          state.record.profile.rules = kept
        } else {
          state.quietly { self.state.record.profile.rules = kept }
        }
      }
    }
    beginFirstScenario(firstScenario, isNew: stored == nil)
    if stored == nil { beginning = state.record }
    // Only a program can have made it last.
    if let stored, stored.isLasting, !stored.record.isLasting(since: newRecord) { isDriven = true }
    for bridge in bridges { bridge.launched() }
  }

  /// Notes the value of the session's cookie.
  func note(cookieValue: String) { self.cookieValue = Secret(cookieValue) }

  /// Takes over the cookie of the previous launch, and which pages have ended with it.
  func takeOver(from former: Session) {
    cookieValue = former.cookieValue
    sessionPages.takeOver(from: former.sessionPages)
  }

  /// Logs the first page of the launch.
  func logFirst(_ page: Page) {
    if !hasHadPage { pageLog.noteFirstPage(page.document?.path) }
    hasHadPage = true
  }

  /// Notes that the session is used now.
  func noteUse() {
    lastUse = serverClock.now
  }

  /// Notes that a program changes the session. From now on, the session does not end with its pages.
  package func drive() {
    isDriven = true
    sheets.isDriven = true
  }

  /// Whether the session must be kept after its last page has ended.
  var isLasting: Bool { isLasting(state.record) }

  private func isLasting(_ record: SessionRecord) -> Bool { isDriven || record.isLasting(since: beginning) }

  /// The id of this launch for pages.
  var launchID: String { launch.id }

  /// The session's id in the control API and the log.
  package nonisolated var id: String { key.id }

  /// Runs code of the embedding program. The bridges make this session the current one.
  func runHostCode(_ body: () -> Void) {
    runHostCode(body, in: bridges[...])
  }

  private func runHostCode(_ body: () -> Void, in bridges: ArraySlice<any SessionBridge>) {
    guard let bridge = bridges.first else { return body() }
    bridge.runHostCode { runHostCode(body, in: bridges.dropFirst()) }
  }

  /// Returns a bridge's part of the session; nil if the bridge is switched off.
  package func bridge<Bridge: SessionBridge>(_ type: Bridge.Type) -> Bridge? {
    bridges.lazy.compactMap { $0 as? Bridge }.first
  }

  /// Creates the session's part of one of its own bridges.
  func makePart(_ own: OwnBridge) -> any SessionBridge {
    own.make(SessionContext(bridge: own.definition.name, launch))
  }

  /// Replaces the bridges. Earlier ones must keep their indexes.
  func replaceBridges(_ bridges: some Sequence<any SessionBridge>, _ table: BridgeTable) {
    self.bridges = Array(bridges)
    bridgeTable = table
  }

  /// Returns the part of the session of the bridge with this name; nil if there is none.
  package func bridge(named name: String) -> (any SessionBridge)? {
    zip(bridgeTable.definitions, bridges).first { $0.0.name == name }?.1
  }

  /// The pages that are open, oldest first.
  package var pages: [Page] { sessionPages.open }

  /// The open page with this id, or the one in the browser's page cache; nil if there is none.
  package func page(id: String) -> Page? {
    sessionPages.open.first { $0.id == id } ?? sessionPages.allSuspended.first { $0.id == id }
  }

  /// Whether pages are in the browser's page cache.
  var hasSuspendedPages: Bool { !sessionPages.allSuspended.isEmpty }

  /// Sends the waiting messages of all pages at the end of this turn, when all changes of the turn are known.
  func releaseAfterTurn() {
    if willRelease { return }
    willRelease = true
    Task { [weak self] in
      guard let self else { return }
      willRelease = false
      for page in pages { page.release() }
    }
  }

  /// Lets the linter report mistakes that are known only at the end of a test, of the app or of the session.
  package func concludeLint() {
    for bridge in bridges { bridge.concludeLint() }
  }

  /// Ends the launch and its pages.
  func end() {
    for page in pages + sessionPages.allSuspended {
      sessionPages.endedWithApp(page)
      end(page, .appEnded, reason: Self.appEndedReason)
    }
    forgetAbsentPages()
    for bridge in bridges { bridge.end() }
    rules.end()
  }

  /// Ends the session here, since another server runs it. Stores nothing more. The pages' sockets close, and the pages come back to the other
  /// server.
  func abandon() {
    isStopping = true
    state.abandon()
    for page in sessionPages.removeAll() { page.leaveToOthers() }
    for bridge in bridges {
      bridge.movedElsewhere()
      bridge.end()
    }
    rules.end()
    ownBridges.stop()
  }

  /// Releases the pages after the server has stopped.
  func letGo() {
    for page in sessionPages.removeAll() { page.letGo() }
  }

  /// Notes that the server stops: pages that lose their sockets come back to the next one.
  func willStop() { isStopping = true }
}
