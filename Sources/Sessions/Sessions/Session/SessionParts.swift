import BridgeCore
import BridgeRuntime
import Delivery
import Logging

/// The parts of a session, which the registry puts together before the session exists.
@BridgeActor
struct SessionParts {
  /// What all sessions of the server share.
  struct Server {
    let options: Shared<SessionOptions>
    let bridges: StartedBridges
    let clock: any BridgeClock
    let metrics: SessionMetrics
    let logger: Logger
    let limitLog: LimitLog
    let space: SessionSpace
  }

  /// The shared part.
  let server: Server
  /// The memory of the session.
  let space: SessionSpace
  /// The key of the session.
  let key: SessionKey
  /// The parts that its bridges use, too.
  let launch: SessionLaunch
  /// The bridges' parts of the session.
  let bridges: [any SessionBridge]
  /// The pages.
  let pages = SessionPages()
  /// Receives the person's answers to sheets.
  let sheetAnswers: SheetAnswers
  /// Shows sheets in pages.
  let shownSheets: ShownSheets
  /// The record with which a new session begins.
  let newRecord: SessionRecord

  /// Puts the parts together.
  ///
  /// - Parameters:
  ///   - record: The state of the session.
  ///   - written: What the store has; nil if it has nothing, or if this is not certain.
  ///   - writer: Brings changes of the state to the store; nil stores nothing.
  ///   - journal: The journal, perhaps of the former launch.
  ///   - lint: The linter of the former launch; nil for a new one.
  init(
    key: SessionKey, record: SessionRecord, written: SessionRecord?, newRecord: SessionRecord, writer: StateWriter?,
    journal: Journal, lint: SessionLint?, seededDeviceID: String?, random: BridgeRandom, on server: Server
  ) {
    self.server = server
    self.key = key
    self.newRecord = newRecord
    let options = server.options.wrappedValue
    space = SessionSpace(callByteLimit: options.limits.openCallBytes, of: server.space)
    let table = server.bridges.table
    let clock = SessionClock(record.profile.time, server: server.clock)
    journal.clock = clock
    let log = PageLog(session: key.id, logger: server.logger, clock: server.clock)
    let lint =
      lint ?? SessionLint(table.lintRules, silenced: options.silencedRules, journal: journal, log: log)
    let launchID = random.uuid()
    let rules = SessionRules(clock: clock, random: random.stream("rules"), space: space.settings)
    rules.onDecision = { [journal, lint] decision, subject, data in
      journal.note(decision, about: subject)
      if decision.outcome.isOther { lint.ruleDecided(decision.outcome, about: subject, data) }
    }
    rules.onGate = { [journal] in journal.note(gate: $0, $1, isOpen: $2) }
    let sheets = SessionSheets(mode: record.profile.present ?? options.present, clock: clock, journal: journal)
    sheets.rules = rules
    sheetAnswers = SheetAnswers(sheets)
    let shownSheets = ShownSheets(sheets, pages: pages, log: log)
    sheets.onChange = { [weak shownSheets] in shownSheets?.update() }
    sheets.onWait = { [weak shownSheets] in shownSheets?.noteWaiting($0) }
    self.shownSheets = shownSheets
    let state = SessionState(key: key, record: record, written: written, writer: writer, logger: server.logger)
    let launch = SessionLaunch(
      id: launchID, key: key, seededDeviceID: seededDeviceID, clock: clock, random: random, state: state,
      journal: journal, rules: rules, sheets: sheets, pageLog: log, limitLog: server.limitLog, lint: lint,
      options: server.options)
    self.launch = launch
    bridges = state.launch { server.bridges.makeSession { SessionContext(bridge: $0, launch) } }
  }
}
