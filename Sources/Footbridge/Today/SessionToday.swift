import BridgeCore
import BridgeRuntime
import CookieJar
import Foundation
import HTTP1
import Today

/// The Today host of one session, joined to the session's pages.
@BridgeActor
final class SessionToday: TodayHostDelegate {
  /// The app's side of the bridge. It is made when it is first needed, which in most sessions is never.
  private(set) lazy var host = makeHost()
  /// The cookies of the session that no script sees. They expire by the session's clock.
  let cookies: CookieJar
  /// Called with the cookies that outlive a launch, nil for none, when they may have changed.
  var onCookiesChange: ((CookieJarSnapshot?) -> Void)?
  /// Called with each secret that the session gets: tokens, and the values of the jar's cookies.
  var onSecret: ((Secret) -> Void)? {
    didSet { noteCookies() }
  }

  private let backend: TodayBackend
  private let log: PageLog
  private let deviceID: String
  private let launchID: String
  private let isSignedIn: Bool?
  private let clock: any BridgeClock
  private let random: BridgeRandom
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
    self.deviceID = deviceID
    self.launchID = launchID
    self.platform = platform
    self.clock = clock
    self.random = random
    isSignedIn = profile.isSignedInToToday
    cookies = CookieJar(now: { Date(timeIntervalSince1970: clock.now.millisecondsSinceEpoch / 1000) })
    if let kept = profile.cookies { cookies.restore(kept) }
  }

  private func makeHost() -> TodayHost {
    let host = backend.host(
      deviceID: deviceID, launchID: launchID, isSignedIn: isSignedIn, platform: platform, cookies: cookies,
      clock: clock, random: random)
    host.delegate = self
    host.tokens.onToken = { [weak self] in self?.onSecret?($0.rawValue) }
    return host
  }

  /// The platform that events are tracked with.
  var platform: Platform {
    didSet { if platform != oldValue { host.identity.platform = platform } }
  }

  /// Signs someone in, or out.
  func setSignedIn(_ isSignedIn: Bool) {
    if isSignedIn { host.signIn() } else { host.signOut() }
  }

  /// The session's cookies at a request that is passed on; `siteURL` is the one that it would have in production.
  func siteCookies(for head: RequestHead, at siteURL: URL) -> SiteCookies {
    SiteCookies(today: host, siteURL: siteURL, head: head)
  }

  /// The joint to a page, made with its first message. What the page may have is decided on its document as it was served, wherever script
  /// takes its URL.
  func bridge(of page: Page) -> TodayBridge {
    if let bridge = bridges[page.id] { return bridge }
    let bridge = TodayBridge(host, document: backend.document(page.document))
    bridges[page.id] = bridge
    if let reason = PageTicket.reasonAgainstMainFrame(page) {
      log.note(
        "todayWebViewBridge: Messages of \(page.id) are answered with undefined, since only a main frame is served: \(reason)."
      )
    }
    return bridge
  }

  /// The page has gone.
  func leave(_ page: Page) {
    bridges.removeValue(forKey: page.id)?.detach()
  }

  func todayHostDidChangeCookies(_ host: TodayHost) {
    noteCookies()
    let kept = cookies.snapshot()
    onCookiesChange?(kept.cookies.isEmpty ? nil : kept)
  }

  private func noteCookies() {
    for value in cookies.values { onSecret?(Secret(value)) }
  }

  func todayHost(_ host: TodayHost, didNote diagnostic: TodayDiagnostic) {
    // That was said with the page's first message, with the reason.
    if diagnostic == .subframe { return }
    log.note("todayWebViewBridge: \(diagnostic)")
  }
}
