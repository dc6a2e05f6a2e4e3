public import BridgeCore
public import BridgeRuntime

/// The part of a session that its ``SessionBridge`` uses.
@BridgeActor
public final class SessionContext {
  /// The bridge's name.
  public nonisolated let bridge: String
  /// What the control API calls the session.
  package nonisolated let sessionID: String
  /// The session's clock. Tests can freeze it and advance it.
  public nonisolated let clock: any BridgeClock
  /// The session's source of identifiers.
  public nonisolated let random: BridgeRandom
  /// Shows sheets.
  public let presenter: any SheetPresenter
  /// The id of this launch for pages.
  public nonisolated let launchID: String
  /// The id of the device: the same at each launch.
  public nonisolated let deviceID: String

  let state: SessionState
  let journal: Journal
  let rules: SessionRules
  let sheets: SessionSheets
  private let pageLog: PageLog
  private let options: Shared<SessionOptions>
  /// The session, once it exists.
  weak var session: Session?

  init(
    bridge: String, sessionID: String, launchID: String, deviceID: String, clock: any BridgeClock, random: BridgeRandom,
    state: SessionState, journal: Journal, rules: SessionRules, sheets: SessionSheets, pageLog: PageLog,
    options: Shared<SessionOptions>
  ) {
    self.bridge = bridge
    self.sessionID = sessionID
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

  /// The bridge's part of the session's profile, which outlives launches. Changes are stored, and pages hear of their effects only then.
  public var profile: [String: JSONValue] {
    get { state.record.profile[bridge] }
    set { if profile != newValue { state.record.profile[bridge] = newValue } }
  }

  /// The platform that is reported to pages.
  public var platform: Platform { state.record.profile.platform ?? options.wrappedValue.platform }

  /// Logs an error of a page that a device would ignore, for the page's developer. The text may contain anything from a page: it is
  /// truncated, and a flood becomes a few lines.
  public func log(_ text: String) {
    pageLog.note(text)
  }

  /// Records in the journal that the bridge has decided or changed something. Secrets are removed by their names.
  public func note(_ action: String, _ data: [String: JSONValue]? = nil) {
    journal.append(.store, action: action, data: data)
  }

  /// Removes a secret from the journal from now on, whoever repeats it.
  public func leaveOut(_ secret: Secret) {
    journal.secrets.remember(secret)
  }

  /// Logs that pages have reached a limit. `text` is one sentence without anything from a page.
  public func noteBound(_ text: String) {
    session?.onBound?(text)
  }
}
