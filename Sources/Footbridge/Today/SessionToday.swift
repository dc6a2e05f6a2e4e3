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

  init(_ backend: TodayBackend, sessionID: String, launchID: String, logger: Logger) {
    self.backend = backend
    self.logger = logger
    host = backend.host(sessionID: sessionID, launchID: launchID, cookies: cookies)
    host.delegate = self
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
