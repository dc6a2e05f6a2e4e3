import BridgeRuntime
import CookieJar
import Logging
import Today

/// The Today host of one session, joined to the session's pages.
@BridgeActor
final class SessionToday: TodayHostDelegate {
  /// The app's side of the bridge.
  let host: TodayHost
  /// The cookies of the session that no script sees.
  let cookies = CookieJar()

  private let backend: TodayBackend
  private let logger: Logger
  private var bridges: [String: TodayBridge] = [:]

  /// Creates the host; with nil, someone is signed in if the configuration says so.
  init(
    _ backend: TodayBackend,
    sessionID: String,
    launchID: String,
    isSignedIn: Bool?,
    platform: Platform,
    clock: any BridgeClock,
    random: BridgeRandom,
    logger: Logger
  ) {
    self.backend = backend
    self.logger = logger
    host = backend.host(
      sessionID: sessionID, launchID: launchID, isSignedIn: isSignedIn, platform: platform, cookies: cookies,
      clock: clock, random: random)
    host.delegate = self
  }

  /// The platform that events are tracked with.
  var platform: Platform {
    get { host.identity.platform == .macos ? .macos : .ios }
    set { host.identity.platform = newValue.today }
  }

  /// Signs someone in, or out.
  func setSignedIn(_ isSignedIn: Bool) {
    if isSignedIn { host.signIn() } else { host.signOut() }
  }

  /// The session's cookies as the proxy uses them.
  var siteCookies: SiteCookies { SiteCookies(today: host) }

  /// Answers the messages of a page. What the page may have is decided on its document as it was served, wherever script takes its URL.
  func join(_ page: Page) {
    let bridge = TodayBridge(host, document: backend.document(page.document))
    bridge.configure(host: page.host)
    bridges[page.id] = bridge
  }

  /// The page has gone.
  func leave(_ page: Page) {
    bridges.removeValue(forKey: page.id)?.detach()
  }

  func todayHost(_ host: TodayHost, didNote diagnostic: TodayDiagnostic) {
    logger.warning("todayWebViewBridge: \(diagnostic)")
  }
}
