import BridgeCore
package import BridgeRuntime
import Delivery

/// The app on one device, as its pages see it. Each browser profile has its own session, by a cookie, so parallel tests do not interfere.
@BridgeActor
package final class Session {
  /// The key of the session.
  package nonisolated let key: SessionKey
  /// The parts of the launch that its bridges use, too.
  nonisolated let launch: SessionLaunch
  /// The session's clock.
  package nonisolated let clock: SessionClock
  /// The journal of the session.
  package let journal: Journal
  /// The rules of the session.
  package let rules: SessionRules
  /// The session's durable state.
  package let state: SessionState
  /// The metrics of all sessions.
  let metrics: SessionMetrics
  /// The server's clock.
  let serverClock: any BridgeClock
  /// The bridges' parts of the session, by their indexes in ``bridgeTable``.
  package private(set) var bridges: [any SessionBridge]
  /// The bridges.
  package private(set) var bridgeTable: BridgeTable
  /// The bridges that only this session has.
  var ownBridges = OwnBridges()
  /// The origins of the dashboard if a tab of it shows the site in a phone's frame; otherwise empty.
  package var stageOrigins: [String] = []
  /// Receives the person's answers to sheets.
  let sheetAnswers: SheetAnswers
  /// The memory that the session's pages share.
  let space: SessionSpace
  /// How many bytes of it the session's own bridges take.
  var bridgeBytes = 0 {
    didSet { space.settings.change(by: bridgeBytes - oldValue) }
  }
  /// The session's pages, open or not.
  let sessionPages: SessionPages
  /// The sheets that the person sees.
  let shownSheets: ShownSheets
  /// The value of the session's cookie; nil for a stored session until a browser sends the cookie.
  package private(set) var cookieValue: Secret?
  /// The documents whose pages have not connected yet.
  package internal(set) lazy var arrivals = DocumentArrivals()
  /// The service workers of the session's browser.
  package private(set) lazy var serviceWorkers = ServiceWorkers()
  /// The network of the site, as the session's device has it.
  package private(set) lazy var network = DeviceNetwork { [weak self] in self?.device.network }
  /// `Accept-Language` of the session's browser, as it has requested the latest document: empty if it has none, nil without a document.
  package var browserLanguages: String?

  /// The time of the session's last use, or of the end of its last page, on the server's clock.
  package private(set) var lastUse: BridgeInstant
  /// Whether a page has come since the launch.
  private var hasHadPage = false
  /// Whether a program has changed something in the session. The session then does not end with its pages.
  package private(set) var isDriven = false
  /// The record with which the session began.
  private var initialRecord: SessionRecord
  /// Called when the last page has ended.
  var onEmpty: (() -> Void)?
  /// Called when a rule kills the app.
  var onKill: (() -> Void)?
  /// Called when the store could not write the first change of this launch.
  var onLaunchLost: (() -> Void)?
  /// Whether waiting messages are sent at the end of this turn.
  private var willRelease = false

  /// The time that a page without a socket has to come back.
  static let reconnectionTime = Duration.seconds(30)

  /// Creates a session of these parts. ``start(stored:ownBridges:firstScenario:retainsRules:on:)`` follows.
  init(_ parts: SessionParts) {
    key = parts.key
    launch = parts.launch
    clock = parts.launch.clock
    journal = parts.launch.journal
    rules = parts.launch.rules
    state = parts.launch.state
    metrics = parts.server.metrics
    serverClock = parts.server.clock
    bridges = parts.bridges
    bridgeTable = parts.server.bridges.table
    sheetAnswers = parts.sheetAnswers
    sessionPages = parts.pages
    space = parts.space
    shownSheets = parts.shownSheets
    lastUse = parts.server.clock.now
    initialRecord = parts.newRecord
    state.delegate = self
  }

  /// Launches the app. A stored session continues with its state; a new one begins with `firstScenario`.
  ///
  /// - Parameters:
  ///   - ownBridges: The session's own bridges of the former launch on this server; nil to read the stored ones.
  ///   - retainsRules: Whether the rules are stored for the session's next server.
  func start(
    stored: StoredSession?, ownBridges: OwnBridges?, firstScenario: String?, retainsRules: Bool,
    on server: ServerContext
  ) {
    // A stored rule may be about one of them.
    launchOwnBridges(ownBridges, on: server)
    if let stored = profile.rules { rules.restore(stored, read: readRule) }
    expect(stored?.pages ?? [:])
    rules.onKill = { [weak self] in self?.onKill?() }
    rules.onNeed = { [weak self] in
      guard let self else { return }
      for page in pages { applyRules(of: page) }
    }
    if retainsRules { rules.onChange = { [weak self] in self?.store($0, isAwaited: $1) } }
    beginFirstScenario(firstScenario, isNew: stored == nil)
    // Only a program can have made it last.
    if let stored {
      isDriven = stored.isLasting && !stored.record.isLasting(since: initialRecord)
    } else {
      initialRecord = state.record
    }
    tell(.launched)
  }

  private func store(_ stored: StoredRules, isAwaited: Bool) {
    guard state.record.profile.rules != stored else { return }
    if isAwaited {
      state.record.profile.rules = stored
    } else {
      state.quietly { state.record.profile.rules = stored }
    }
  }

  /// The sheets that wait for an answer.
  package var sheets: SessionSheets { launch.sheets }
  /// The linter of the session.
  package var lint: SessionLint { launch.lint }
  /// The session's source of identifiers.
  nonisolated var random: BridgeRandom { launch.random }
  /// The log for errors that pages do not receive.
  var pageLog: PageLog { launch.pageLog }
  /// The log of limits that were reached.
  var limitLog: LimitLog { launch.limitLog }
  /// The options of the server.
  nonisolated var options: SessionOptions { launch.options.wrappedValue }
  /// The limits of the session's pages.
  package nonisolated var limits: FootbridgeLimits { options.limits }
  /// Whether the server is stopping, or the launch has ended.
  var isStopping: Bool { launch.isStopping }

  /// Notes the value of the session's cookie.
  func note(cookieValue: String) { self.cookieValue = Secret(cookieValue) }

  /// Takes over the cookie of the previous launch, and which pages have ended with it.
  func takeOver(from former: Session) {
    cookieValue = former.cookieValue
    stageOrigins = former.stageOrigins
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

  /// Whether the session must be stored after its last page has ended.
  var isLasting: Bool { isLasting(state.record) }

  func isLasting(_ record: SessionRecord) -> Bool { isDriven || record.isLasting(since: initialRecord) }

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

  /// Tells the bridges what has happened to the session.
  package func tell(_ event: SessionEvent) {
    for bridge in bridges { bridge.received(event) }
  }

  /// Waits until pages have corrected what they still may, or have had the time for it.
  package func waitForPendingLint() async {
    let deadline = ContinuousClock.now + SessionLint.longestWait
    while !pages.isEmpty, bridges.contains(where: \.isLintPending), ContinuousClock.now < deadline {
      try? await Task.sleep(for: SessionLint.interval)
    }
  }

  /// Ends the launch and its pages.
  func end() {
    for page in pages + sessionPages.allSuspended {
      sessionPages.endedWithApp(page)
      end(page, .appEnded, reason: Self.appEndedReason)
    }
    forgetAbsentPages()
    tell(.ended)
    rules.end()
    bridgeBytes = 0
    launch.willStop()
  }

  /// Ends the session here, since another server runs it. Stores nothing more. The pages' sockets close, and the pages come back to the other
  /// server.
  func abandon() {
    launch.willStop()
    state.abandon()
    for page in sessionPages.removeAll() { page.handOver() }
    for bridge in bridges {
      bridge.received(.movedElsewhere)
      bridge.received(.ended)
    }
    rules.end()
    bridgeBytes = 0
    ownBridges.stop()
  }

  /// Releases the pages after the server has stopped.
  func releasePages() {
    for page in sessionPages.removeAll() { page.releaseHost() }
  }

  /// Notes that the server stops: pages that lose their sockets come back to the next one.
  func willStop() { launch.willStop() }
}
