public import BridgeCore
public import BridgeRuntime
public import CookieJar
public import Foundation

/// The app's side of the Today WebView Bridge: one for each session, shared by all of its pages.
@BridgeActor
public final class TodayHost {
  /// The cookie that `establishSession` mints.
  public nonisolated static let sessionCookieName = "embed_bearer"

  /// Which documents are trusted; a change applies to calls under way, too.
  public var trust: TrustPolicy
  /// What trusted surfaces get besides the bearer.
  public var extraHeaders: FeedExtraHeaders
  /// Who tracks. ``TrackIdentity/userID`` counts only while someone is signed in.
  public var identity: TrackIdentity
  /// Watches events and remarks.
  public weak var delegate: (any TodayHostDelegate)?
  /// The session's token.
  public let tokens: TokenStore
  /// The web view's cookie store, as far as the host has a hand in it.
  public let cookies: CookieJar

  private let delivery: TrackDelivery?
  private let limits: TrackLimits
  private let clock: any BridgeClock
  private let random: BridgeRandom
  private var log: EventBuffer

  /// Creates the host of a session. Without `delivery` events go to the log and the delegate only.
  public init(
    tokens: TokenStore,
    cookies: CookieJar,
    trust: TrustPolicy,
    identity: TrackIdentity,
    extraHeaders: FeedExtraHeaders = .none,
    delivery: TrackDelivery? = nil,
    limits: TrackLimits = TrackLimits(),
    clock: any BridgeClock = SystemBridgeClock(),
    random: BridgeRandom = BridgeRandom()
  ) {
    self.tokens = tokens
    self.cookies = cookies
    self.trust = trust
    self.identity = identity
    self.extraHeaders = extraHeaders
    self.delivery = delivery
    self.limits = limits
    self.clock = clock
    self.random = random
    log = EventBuffer(limits: limits)
  }

  /// The latest events, oldest first.
  public var events: [TrackedEvent] { Array(log.events) }

  // MARK: The account

  /// A person signs in.
  public func signIn() {
    tokens.signIn()
  }

  /// The person signs out: the token and the minted cookie go, and a refresh under way ends. What a device clears its reference does not
  /// say; that the cookie goes is our choice.
  public func signOut() {
    // The cookie first: whoever waits for the flight finds everything cleared when it hears of the end.
    cookies.removeCookies { $0.name == Self.sessionCookieName }
    delegate?.todayHostDidChangeCookies(self)
    tokens.signOut()
  }

  /// Takes a cookie that upstream sets into ``cookies`` if it is one that the host has minted; false when it is the browser's.
  public func takeCookie(setBy header: String, at siteURL: URL, context: CookieContext = .sameSite) -> Bool {
    guard let setCookie = try? SetCookie(parsing: header), setCookie.name == Self.sessionCookieName,
      let host = siteURL.host?.lowercased(),
      cookies.metadata.contains(where: { $0.name == Self.sessionCookieName && $0.domain == host })
    else { return false }
    cookies.setCookies(from: [header], url: siteURL, context: context)
    delegate?.todayHostDidChangeCookies(self)
    return true
  }

  /// Removes the cookies of a host, of the hosts below it, and of the domains above it, as a site asks for with `Clear-Site-Data`.
  public func clearCookies(of host: String) {
    let count = cookies.removeCookies { cookie in
      cookie.domain == host || cookie.domain.hasSuffix("." + host) || host.hasSuffix("." + cookie.domain)
    }
    if count > 0 { delegate?.todayHostDidChangeCookies(self) }
  }

  // MARK: Messages

  /// Answers a message of a page: `value` is what the page posted, nil for `undefined`.
  ///
  /// `document` gives the calling document, nil once it has gone. It is asked again when an answer had to wait for a token: what counts is
  /// what the document is then. A document that has gone gets no answer.
  public func receive(
    _ value: JSONValue?,
    from document: @escaping @BridgeActor () -> TodayDocument?,
    reply: @escaping @BridgeActor (TodayReply) -> Void
  ) {
    guard let caller = document() else { return }
    let decision = trust.decide(caller)
    if decision == .subframe {
      note(.subframe)
      return reply(.undefined)
    }
    switch TodayMessage(value) {
    case .track(let name, let parameters):
      track(name, parameters)
      reply(.undefined)
    case .headers:
      guard decision == .trusted else { return reply(headers(for: decision, token: nil)) }
      tokens.current { [self] outcome in
        guard let caller = document() else { return }
        reply(headers(for: trust.decide(caller), token: try? outcome.get()))
      }
    case .refreshToken:
      guard decision == .trusted else { return reply(.undefined) }
      tokens.refreshCoalesced { [self] outcome in
        guard let caller = document() else { return }
        reply(trust.decide(caller) == .trusted ? authorization(outcome) : .undefined)
      }
    case .establishSession(let refresh):
      guard decision == .trusted else { return reply(.value(["ok": false])) }
      let mint: TokenStore.Joiner = { [self] outcome in
        guard let caller = document() else { return }
        reply(.value(["ok": .bool(establishSession(for: caller, token: try? outcome.get()))]))
      }
      if refresh { tokens.refreshCoalesced(mint) } else { tokens.current(mint) }
    case .unknown:
      note(.unknownMessage)
      reply(.undefined)
    }
  }

  private func headers(for decision: TrustDecision, token: AccessToken?) -> TodayReply {
    switch decision {
    case .subframe: return .undefined
    case .untrusted: return .value([:])
    case .cleartext, .trusted:
      var headers = extraHeaders.values
      if decision == .trusted, let token { headers["Authorization"] = token.authorization.reveal() }
      return .value(.object(headers.mapValues { .string($0) }))
    }
  }

  private func authorization(_ outcome: Result<AccessToken, TokenError>) -> TodayReply {
    switch outcome {
    case .success(let token): .value(["authorization": .string(token.authorization.reveal())])
    case .failure(let error): .rejection(error)
    }
  }

  /// Mints the session cookie, for the document's own host alone. True once it is in the jar.
  private func establishSession(for document: TodayDocument, token: AccessToken?) -> Bool {
    guard let token, trust.decide(document) == .trusted, let host = document.siteURL.host?.lowercased() else {
      return false
    }
    let cookie = Cookie(
      name: Self.sessionCookieName, value: token.rawValue.reveal(), domain: host, path: "/api/", isSecure: true,
      isHTTPOnly: true)
    do throws(CookieRefusal) {
      try cookies.setCookie(cookie)
      delegate?.todayHostDidChangeCookies(self)
      return true
    } catch {
      note(.sessionCookieRefused)
      return false
    }
  }

  private func track(_ name: String?, _ parameters: [String: JSONValue]) {
    guard let name else { return note(.trackWithoutName) }
    var identity = identity
    if !tokens.isSignedIn { identity.userID = nil }
    let event = TrackedEvent(
      name: name, parameters: parameters, eventID: random.uuid(), time: clock.now, identity: identity)
    guard event.byteCount <= limits.eventByteCount else { return note(.eventTooLarge(byteCount: event.byteCount)) }
    log.append(event)
    delivery?.enqueue(event)
    delegate?.todayHost(self, didTrack: event)
  }

  private func note(_ diagnostic: TodayDiagnostic) {
    delegate?.todayHost(self, didNote: diagnostic)
  }
}
