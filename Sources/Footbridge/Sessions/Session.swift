import BridgeCore
import BridgeRuntime
import Logging
import OnsideKit
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
  let rules: SessionRules
  /// The Today host.
  let today: SessionToday
  /// What has happened in the session.
  let journal: Journal
  /// The session's durable state.
  let state: SessionState
  /// The app's store.
  let onside: Onside
  /// The documents whose pages are about to come.
  private(set) lazy var arrivals = DocumentArrivals()

  /// When the session was last asked for, or its last page ended, by the server's clock.
  var lastUse: BridgeInstant
  /// Whether a program has changed something in the session, so that it does not end with its pages.
  var isDriven = false
  /// What the session had in it when it began.
  private var beginning: SessionRecord
  /// Called when the last page has ended.
  var onEmpty: (() -> Void)?

  /// What the server was started with.
  nonisolated let options: Shared<FootbridgeOptions>
  /// The server's clock.
  let serverClock: any BridgeClock
  /// The log of what pages are not told.
  let pageLog: PageLog
  /// The GBGBridge host's part that all pages have in common.
  let gbg: GBGSession
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
    rules = SessionRules(clock: self.clock)
    sheets = SessionSheets(mode: profile.present ?? options.present, clock: self.clock, journal: self.journal)
    sheets.rules = rules
    shownSheet = ShownSheet(sheets, pages: sessionPages, log: pageLog)
    gbg = GBGSession(options.gbg, presenter: sheets, random: random)
    // What sessions have in common they share for as long as it is the same.
    let contract = profile.onsideContract ?? options.onside.settings.contract
    if record.onside.settings.contract != contract { record.onside.settings.contract = contract }
    beginning = newRecord
    weak var owner: Session?
    let state = SessionState(key: key, record: record, writer: writer, logger: logger) { record in
      owner?.isLasting(record) ?? true
    }
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
    self.today.onSecret = { [journal = self.journal] in journal.secrets.remember($0) }
    sheets.onChange = { [weak shownSheet] in shownSheet?.update() }
    onside.onEventTracked = { [weak self] in self?.tell(of: $0) }
    onside.onBound = { [weak self] in self?.onBound?($0) }
    rules.onDecision = { [journal = self.journal] in journal.note($0, about: $1) }
    rules.onNeed = { [weak self] in
      guard let self else { return }
      for page in pages { applyRules(of: page) }
    }
    rules.onGate = { [journal = self.journal] in journal.note(gate: $0, $1, isOpen: $2) }
    onside.decideOutcome = { [rules] flow, data in rules.decide(flow, data) }
    owner = self
    beginFirstScenario(firstScenario, isNew: stored == nil)
    if stored == nil { beginning = state.record }
    if let onLaunch = options.onLaunch { Onside.withCurrent(onside) { onLaunch(onside) } }
  }

  /// Whether something has happened that must outlast the session's pages.
  var isLasting: Bool { isLasting(state.record) }

  private func isLasting(_ record: SessionRecord) -> Bool { isDriven || record.isLasting(since: beginning) }

  /// What the control API and the log call the session.
  nonisolated var id: String { key.id }

  /// The `TransactionHistory` of one of the session's orders; nil when it has no such order.
  func transactionHistory(ofOrder orderID: String) -> JSONValue? { onside.transactionHistory(ofOrder: orderID) }

  /// The pages that are open, oldest first.
  var pages: [Page] { sessionPages.open }

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
    onside.terminate()
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
