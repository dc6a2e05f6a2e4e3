public import BridgeCore
public import BridgeRuntime

/// What a ``SessionBridge`` gets of its session.
@BridgeActor
public final class SessionContext {
  /// The bridge's name.
  public nonisolated let bridge: String
  /// The session's clock, which a test can stop and put forward.
  public nonisolated let clock: any BridgeClock
  /// The session's source of identifiers.
  public nonisolated let random: BridgeRandom
  /// Shows native screens.
  public let presenter: any SheetPresenter
  /// What pages know this launch by.
  public nonisolated let launchID: String
  /// The id of the device: the same at each launch.
  public nonisolated let deviceID: String

  let state: SessionState
  let journal: Journal
  let rules: SessionRules
  let sheets: SessionSheets
  private let pageLog: PageLog
  private let options: Shared<SessionOptions>
  /// The session, once it is there.
  weak var session: Session?

  init(
    bridge: String, launchID: String, deviceID: String, clock: any BridgeClock, random: BridgeRandom,
    state: SessionState, journal: Journal, rules: SessionRules, sheets: SessionSheets, pageLog: PageLog,
    options: Shared<SessionOptions>
  ) {
    self.bridge = bridge
    self.launchID = launchID
    self.deviceID = deviceID
    self.clock = clock
    self.random = random
    presenter = sheets
    self.state = state
    self.journal = journal
    self.rules = rules
    self.sheets = sheets
    self.pageLog = pageLog
    self.options = options
  }

  /// The bridge's part of what is set about the session, which outlives launches. A change is kept, and pages hear of what comes of it only
  /// then.
  public var profile: [String: JSONValue] {
    get { state.record.profile[bridge] }
    set { if profile != newValue { state.record.profile[bridge] = newValue } }
  }

  /// The platform that pages are told.
  public var platform: Platform { state.record.profile.platform ?? options.wrappedValue.platform }

  /// Says in the server's log what a device passes over in silence: the page's developer is told. The text may hold anything of a page's; it
  /// is cut, and a flood is a few lines.
  public func log(_ text: String) {
    pageLog.note(text)
  }

  /// Adds to the journal that the bridge has decided or changed something. Secrets are left out by their names.
  public func note(_ action: String, _ data: [String: JSONValue]? = nil) {
    journal.append(.store, action: action, data: data)
  }

  /// Leaves a secret out of the journal from now on, whoever repeats it.
  public func leaveOut(_ secret: Secret) {
    journal.secrets.remember(secret)
  }

  /// Pages have asked for more than they may; `text` is one sentence for the log, without anything of theirs.
  public func noteBound(_ text: String) {
    session?.onBound?(text)
  }
}
