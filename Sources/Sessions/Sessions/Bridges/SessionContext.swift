package import InAppPurchases
public import BridgeCore
public import BridgeRuntime
import Essentials
import HTTP1

/// The part of a session that its ``SessionBridge`` uses.
@BridgeActor
public final class SessionContext {
  /// The bridge's name.
  public nonisolated let bridge: String
  /// The id of the session in the control API.
  package nonisolated var sessionID: String { launch.sessionID }
  /// The session's clock. Tests can freeze it and advance it.
  public nonisolated var clock: any BridgeClock { launch.clock }
  /// The session's source of identifiers.
  public nonisolated var random: BridgeRandom { launch.random }
  /// Shows sheets.
  public var presenter: any SheetPresenter { launch.sheets }
  /// The id of this launch for pages.
  public nonisolated var launchID: String { launch.id }
  /// The id of the device: the same at each launch.
  public nonisolated var deviceID: String { launch.deviceID }

  package var state: SessionState { launch.state }
  package var journal: Journal { launch.journal }
  package var rules: SessionRules { launch.rules }
  package var sheets: SessionSheets { launch.sheets }
  /// The store of the session; nil if no bridge plays one.
  package var store: (any InAppStore)? {
    get { launch.store }
    set { launch.store = newValue }
  }
  package nonisolated let launch: SessionLaunch

  init(bridge: String, _ launch: SessionLaunch) {
    self.bridge = bridge
    self.launch = launch
  }

  /// The bridge's part of the session's profile, which outlives launches. Changes are stored, and pages learn of them only afterwards.
  public var profile: [String: JSONValue] {
    get { state.record.profile[bridge] }
    set { if profile != newValue { state.record.profile[bridge] = newValue } }
  }

  /// The phone around the app.
  package var device: Device { state.record.profile.device ?? launch.options.wrappedValue.device ?? Device() }

  /// The platform that is reported to pages.
  public var platform: Platform { state.record.profile.platform ?? launch.options.wrappedValue.platform }

  /// Logs an error of a page that a device would ignore silently. The text may contain anything from a page. Long texts are truncated, and the
  /// number of lines is limited.
  public func log(_ text: String) {
    launch.pageLog.note(text)
  }

  /// Adds a journal entry for a decision or a change of the bridge. Secrets are removed by their names.
  public func note(_ action: String, _ data: [String: JSONValue]? = nil) {
    journal.append(.store, action: action, data: data)
  }

  /// Adds an entry for a tracked event. `action` is that of the page's message.
  package func note(_ event: NativeEvent, action: String) {
    journal.append(.event, action: action, data: event.members)
  }

  /// Removes a secret from all entries of the journal.
  public func leaveOut(_ secret: Secret) {
    journal.secrets.remember(secret)
  }

  /// Whether the server stops, or the launch has ended. Nothing more is stored then.
  package var isStopping: Bool { launch.isStopping }

  /// Logs that pages have reached a limit. `text` is one sentence that contains nothing from a page.
  public func noteBound(_ text: String) {
    launch.limitLog.note(text)
  }
}

/// The parts of one launch of a session that all of its bridges use.
@BridgeActor
package final class SessionLaunch {
  /// The id for pages.
  nonisolated let id: String
  nonisolated let sessionID: String
  nonisolated let clock: SessionClock
  nonisolated let random: BridgeRandom
  let state: SessionState
  let journal: Journal
  let rules: SessionRules
  let sheets: SessionSheets
  let pageLog: PageLog
  package let lint: SessionLint
  nonisolated let options: Shared<SessionOptions>
  /// The log of limits that were reached.
  let limitLog: LimitLog
  /// Whether the server stops, or the launch has ended.
  private(set) var isStopping = false
  /// Returns the session's cookies for a request to an upstream; nil if no bridge keeps any.
  var siteCookies: (@BridgeActor (_ head: RequestHead, _ siteURL: URL) -> any SiteCookies)?
  /// The store with which bridges sell; nil if no bridge plays one.
  var store: (any InAppStore)?

  private nonisolated let key: SessionKey
  private nonisolated let seededDeviceID: String?

  init(
    id: String, key: SessionKey, seededDeviceID: String?, clock: SessionClock, random: BridgeRandom,
    state: SessionState, journal: Journal, rules: SessionRules, sheets: SessionSheets, pageLog: PageLog,
    limitLog: LimitLog, lint: SessionLint, options: Shared<SessionOptions>
  ) {
    self.id = id
    self.key = key
    sessionID = pageLog.session
    self.seededDeviceID = seededDeviceID
    self.clock = clock
    self.random = random
    self.state = state
    self.journal = journal
    self.rules = rules
    self.sheets = sheets
    self.pageLog = pageLog
    self.limitLog = limitLog
    self.lint = lint
    self.options = options
  }

  /// Notes that the server stops, or that the launch has ended.
  func willStop() { isStopping = true }

  /// The id of the device. It is a hash, computed when a bridge asks for it.
  nonisolated var deviceID: String { seededDeviceID ?? key.deviceID }
}
