import BridgeRuntime
import CookieJar
import Foundation
import HTTP1
import Today

/// The Today host of one session, joined to the session's pages.
@BridgeActor
final class SessionToday: TodayHostDelegate {
  /// The app's side of the bridge.
  let host: TodayHost
  /// The cookies of the session that no script sees.
  let cookies = CookieJar()
  /// Called with the cookies that outlive a launch, nil for none, when they may have changed.
  var onCookiesChange: ((CookieJarSnapshot?) -> Void)?

  private let backend: TodayBackend
  private let log: PageLog
  private var bridges: [String: TodayBridge] = [:]

  /// Creates the host with what is set about the session, and the cookies that its last launch left. `deviceID` is the device's unless the
  /// configuration names one.
  init(
    _ backend: TodayBackend,
    deviceID: String,
    launchID: String,
    profile: SessionProfile,
    platform: Platform,
    clock: any BridgeClock,
    random: BridgeRandom,
    log: PageLog
  ) {
    self.backend = backend
    self.log = log
    if let kept = profile.cookies { cookies.restore(kept) }
    host = backend.host(
      deviceID: deviceID, launchID: launchID, isSignedIn: profile.isSignedInToToday, platform: platform,
      cookies: cookies, clock: clock, random: random)
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

  /// The session's cookies at a request that is passed on; `siteURL` is the one that it would have in production.
  func siteCookies(for head: RequestHead, at siteURL: URL) -> SiteCookies {
    SiteCookies(today: host, siteURL: siteURL, head: head)
  }

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

  func todayHostDidChangeCookies(_ host: TodayHost) {
    let kept = cookies.snapshot()
    onCookiesChange?(kept.cookies.isEmpty ? nil : kept)
  }

  func todayHost(_ host: TodayHost, didNote diagnostic: TodayDiagnostic) {
    log.note("todayWebViewBridge: \(diagnostic)")
  }
}
