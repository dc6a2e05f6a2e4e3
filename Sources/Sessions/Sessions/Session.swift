import BridgeCore
package import BridgeRuntime
import Logging
import WebServer

/// One installed app on one device, as the page sees it. A browser profile gets its own by cookie, so that parallel tests never meet.
@BridgeActor
package final class Session {
  /// What the session is known by.
  nonisolated let key: SessionKey
  /// How much the session's pages may ask for.
  package nonisolated var limits: FootbridgeLimits { options.limits }
  /// Called when one of them has asked for more, with a sentence for the log.
  var onBound: ((String) -> Void)?
  /// The session's clock.
  package nonisolated let clock: SessionClock
  /// The session's source of identifiers.
  nonisolated let random: BridgeRandom
  /// The native screens that wait for an answer.
  package let sheets: SessionSheets
  /// What is decided on purpose.
  package let rules: SessionRules
  /// What has happened in the session.
  package let journal: Journal
  /// The session's durable state.
  package let state: SessionState
  /// The bridges' parts of the session, each at its place in ``bridgeTable``.
  package let bridges: [any SessionBridge]
  /// The bridges.
  package nonisolated let bridgeTable: BridgeTable
  /// Takes the person's answers to sheets.
  let sheetAnswers: SheetAnswers
  /// What is counted of all sessions.
  var metrics = SessionMetrics()
  /// The documents whose pages are about to come.
  package private(set) lazy var arrivals = DocumentArrivals()

  /// When the session was last asked for, or its last page ended, by the server's clock.
  private(set) var lastUse: BridgeInstant
  /// Whether a program has changed something in the session, so that it does not end with its pages.
  private var isDriven = false
  /// What the session had in it when it began.
  private var beginning: SessionRecord
  /// Called when the last page has ended.
  var onEmpty: (() -> Void)?

  /// What the server was started with.
  nonisolated var options: SessionOptions { sharedOptions.wrappedValue }
  private nonisolated let sharedOptions: Shared<SessionOptions>
  /// The server's clock.
  let serverClock: any BridgeClock
  /// The log of what pages are not told.
  let pageLog: PageLog
  /// What pages know this launch by.
  let launchID: String
  /// The session's pages, whether or not they are open.
  let sessionPages = SessionPages()
  /// The native screen that the person sees.
  let shownSheet: ShownSheet

  /// Whether pages are released once the present turn is over.
  private var willRelease = false
  /// Whether the server stops.
  private(set) var isStopping = false

  /// How long a page that lost its socket may take to come back.
  static let reconnectionTime = Duration.seconds(30)

  /// Launches the app: with the state that the last launch left or, in a new session, with `newRecord` and `firstScenario`.
  init(
    key: SessionKey,
    options shared: Shared<SessionOptions>,
    logger: Logger,
    bridges started: StartedBridges,
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
    sharedOptions = shared
    let options = shared.wrappedValue
    pageLog = PageLog(session: key.id, logger: logger, clock: clock)
    self.random = random
    let record = stored?.record ?? newRecord
    let profile = record.profile
    serverClock = clock
    lastUse = clock.now
    self.clock = SessionClock(profile.time, server: clock)
    bridgeTable = started.table
    self.journal = journal ?? Journal(clock: self.clock, bridges: started.table)
    self.journal.clock = self.clock
    launchID = random.uuid()
    rules = SessionRules(clock: self.clock)
    sheets = SessionSheets(mode: profile.present ?? options.present, clock: self.clock, journal: self.journal)
    sheets.rules = rules
    sheetAnswers = SheetAnswers(sheets)
    shownSheet = ShownSheet(sheets, pages: sessionPages, log: pageLog)
    beginning = newRecord
    weak var owner: Session?
    let state = SessionState(key: key, record: record, writer: writer, logger: logger) { record in
      owner?.isLasting(record) ?? true
    }
    self.state = state
    var contexts: [SessionContext] = []
    let makeContext = { [clock = self.clock, journal = self.journal, launchID, rules, sheets, pageLog] bridge in
      let context = SessionContext(
        bridge: bridge, launchID: launchID, deviceID: deviceID, clock: clock, random: random, state: state,
        journal: journal, rules: rules, sheets: sheets, pageLog: pageLog, options: shared)
      contexts.append(context)
      return context
    }
    bridges = state.launch { started.makeSession(makeContext) }
    for context in contexts { context.session = self }
    state.delegate = self
    expect(stored?.pages ?? [:])
    sheets.onChange = { [weak shownSheet] in shownSheet?.update() }
    rules.onDecision = { [journal = self.journal] in journal.note($0, about: $1) }
    rules.onNeed = { [weak self] in
      guard let self else { return }
      for page in pages { applyRules(of: page) }
    }
    rules.onGate = { [journal = self.journal] in journal.note(gate: $0, $1, isOpen: $2) }
    owner = self
    beginFirstScenario(firstScenario, isNew: stored == nil)
    if stored == nil { beginning = state.record }
    for bridge in bridges { bridge.launched() }
  }

  /// The session is used now.
  func noteUse() {
    lastUse = serverClock.now
  }

  /// A program changes something in the session, which does not end with its pages from now on.
  package func drive() {
    isDriven = true
  }

  /// Whether something has happened that must outlast the session's pages.
  var isLasting: Bool { isLasting(state.record) }

  private func isLasting(_ record: SessionRecord) -> Bool { isDriven || record.isLasting(since: beginning) }

  /// What the control API and the log call the session.
  package nonisolated var id: String { key.id }

  /// Runs code of the program that embeds the server, with what bridges make current for it.
  func runHostCode(_ body: () -> Void) {
    runHostCode(body, in: bridges[...])
  }

  private func runHostCode(_ body: () -> Void, in bridges: ArraySlice<any SessionBridge>) {
    guard let bridge = bridges.first else { return body() }
    bridge.runHostCode { runHostCode(body, in: bridges.dropFirst()) }
  }

  /// The session's part of a bridge; nil when the bridge is switched off.
  package func bridge<Bridge: SessionBridge>(_ type: Bridge.Type) -> Bridge? {
    bridges.lazy.compactMap { $0 as? Bridge }.first
  }

  /// The pages that are open, oldest first.
  package var pages: [Page] { sessionPages.open }

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

  /// Ends the launch: its pages go, and nothing more is kept.
  func end() {
    for page in pages { end(page, .appEnded, reason: "The app has ended.") }
    forgetAbsentPages()
    for bridge in bridges { bridge.end() }
    rules.end()
  }

  /// The server has stopped: nothing is heard of the pages any more.
  func letGo() {
    for page in sessionPages.removeAll() { page.letGo() }
  }

  /// The server stops. Returns when what has happened is kept.
  func stop() async {
    isStopping = true
    _ = await state.kept()
  }
}
