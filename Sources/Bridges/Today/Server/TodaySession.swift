package import BridgeCore
package import BridgeRuntime
package import CookieJar
import Essentials
package import Sessions
package import Today

/// The Today host of one session, connected to its pages.
@BridgeActor
package final class TodaySession: SessionBridge, TodayHostDelegate {
  /// The app's side of the bridge, created when it is first needed. Most sessions never need it.
  package private(set) lazy var host = makeHost()
  /// The cookies of the session that no script sees. They expire by the session's clock.
  package let cookies: CookieStorage

  /// The linter's rules for its pages.
  private(set) lazy var lint = TodayLint(context) { [unowned self] in host }

  private let backend: TodayBackend
  private let context: SessionContext
  /// The platform that events are tracked with.
  private var platform: Platform

  /// Creates the session's part from the profile, and from the cookies that its last launch left.
  package init(_ backend: TodayBackend, _ context: SessionContext) {
    self.backend = backend
    self.context = context
    platform = context.platform
    let clock = context.clock
    cookies = CookieStorage(now: { Date(timeIntervalSince1970: clock.now.millisecondsSinceEpoch / 1000) })
    if let stored = context.state.record.profile.cookies { cookies.restore(stored) }
    noteCookies()
    context.storeSiteCookies { [unowned self] head, siteURL in
      TodayUpstreamCookies(today: host, siteURL: siteURL, head: head)
    }
  }

  private func makeHost() -> TodayHost {
    let isSignedIn = context.state.record.profile.isSignedInToToday
    let host = backend.host(
      deviceID: context.deviceID, launchID: context.launchID, isSignedIn: isSignedIn, platform: platform,
      cookies: cookies, clock: context.clock, random: context.random)
    host.delegate = self
    host.tokens.onToken = { [context, weak self] in
      context.leaveOut($0.rawValue)
      self?.lint.refreshed($0)
    }
    if context.state.record.profile.isRevokedAtToday { host.tokens.revoke() }
    host.launch()
    return host
  }

  package func received(_ event: SessionEvent) {
    switch event {
    // Asks a token endpoint at once, as the app on a device does. Built-in tokens need no time.
    case .launched: if backend.hasEndpoint { _ = host }
    case .profileChanged(let former): profileChanged(from: former)
    default: break
    }
  }

  /// Signs someone in or out, for a test. This outlives the launch. A revoked session becomes valid again with a sign-in.
  func setSignedIn(_ isSignedIn: Bool) {
    let former = context.profile
    context.state.record.profile.isSignedInToToday = isSignedIn
    let wasRevoked = context.state.record.profile.isRevokedAtToday
    if isSignedIn { context.state.record.profile.isRevokedAtToday = false }
    profileChanged(from: former)
    if isSignedIn, wasRevoked { host.signIn() }
  }

  /// Revokes the session, for a test: there is no token until someone signs in again. This outlives the launch.
  package func revokeToken() {
    context.state.record.profile.isRevokedAtToday = true
    host.tokens.revoke()
  }

  // MARK: The session

  package var json: [String: JSONValue] { ["today": ["signedIn": .bool(host.tokens.isSignedIn)]] }

  package func makePage(_ page: any BridgePage) -> (any PageBridge)? { TodayPage(self, page) }

  private func profileChanged(from former: [String: JSONValue]) {
    if platform != context.platform {
      platform = context.platform
      host.identity.platform = platform
    }
    let isSignedIn = context.state.record.profile.isSignedInToToday
    guard isSignedIn != former[SessionProfile.signedInMember]?.boolValue else { return }
    if isSignedIn ?? backend.isSignedIn { host.signIn() } else { host.signOut() }
  }

  /// The connection to a page. What the page may get depends on its document as it was served, whatever URL a script reports.
  func makeBridge(of page: any BridgePage) -> TodayBridge {
    let reason = page.reasonAgainstMainFrame
    if let reason {
      context.log(
        "todayWebViewBridge: Messages of \(page.id) are answered with undefined, since only main frames get answers: \(reason)."
      )
    }
    return TodayBridge(host, document: TodayDocument(served: page.siteURL, isMainFrame: reason == nil))
  }

  // MARK: The host

  package func todayHostDidChangeCookies(_ host: TodayHost) {
    noteCookies()
    let stored = cookies.snapshot()
    let present = stored.cookies.isEmpty ? nil : stored
    if context.state.record.profile.cookies != present { context.state.record.profile.cookies = present }
  }

  private func noteCookies() {
    for value in cookies.values { context.leaveOut(Secret(value)) }
  }

  package func todayHost(_ host: TodayHost, didTrack event: TrackedEvent) {
    var made = NativeEvent(name: event.name, parameters: event.parameters)
    for parameter in event.droppedParameters { made.drop(parameter, "notScalar") }
    context.note(made, action: TodayBridge.action)
    lint.dropped(event.droppedParameters, of: event.name)
  }

  package func todayHost(_ host: TodayHost, didDropEvent name: String?, because diagnostic: TodayDiagnostic) {
    var made = NativeEvent(name: name ?? "", isAccepted: false)
    made.drop(nil, diagnostic == .trackWithoutName ? "noName" : "tooLarge")
    context.note(made, action: TodayBridge.action)
    if diagnostic == .trackWithoutName { lint.hasNoName() }
  }

  package func todayHost(_ host: TodayHost, didNote diagnostic: TodayDiagnostic) {
    // This was logged with the page's first message, with the reason.
    if diagnostic == .subframe { return }
    if diagnostic == .unknownMessage { lint.hasUnknownMessage() }
    context.log("todayWebViewBridge: \(diagnostic)")
  }
}

extension SigningKey: TokenSigner {
  package func sign(claims: [String: JSONValue]) async -> String {
    await sign(.object(claims))
  }

  package func signature(of claims: [String: JSONValue]) -> String? { signed(.object(claims)) }
}
