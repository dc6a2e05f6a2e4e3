public import BridgeCore
public import BridgeRuntime
public import CookieJar
public import Essentials

/// The app's side of the Today WebView Bridge: one for each session, shared by all of its pages.
///
/// ```swift
/// let host = TodayHost(
///   tokens: TokenStore(source: source),
///   cookies: CookieStorage(),
///   trust: try TrustPolicy(trustedOrigins: ["https://today.example"], trustedPaths: ["/feed"]),
///   identity: TrackIdentity(sessionID: "session-1", deviceID: "device-1")
/// )
/// TodayBridge(host, document: TodayDocument(siteURL: url, frame: .main)).configure(host: pageHost)
/// ```
///
/// `source` is a ``JWTTokenSource``, an ``OAuthTokenSource`` or a ``TokenSource`` of your own; `pageHost` is the
/// `BridgeHost` of the page.
@BridgeActor
public final class TodayHost {
  /// The name of the cookie that `establishSession` sets.
  public nonisolated static let sessionCookieName = "embed_bearer"

  /// Which documents are trusted. A change also applies to pending calls.
  public var trust: TrustPolicy
  /// The headers that trusted surfaces get besides the bearer token.
  public var extraHeaders: FeedExtraHeaders
  /// The identity in tracked events. ``TrackIdentity/userID`` is used only while someone is signed in.
  public var identity: TrackIdentity
  /// Whether `headers` waits for a new token if there is none at hand or it has expired. The contract's `currentInjectedHeaders()` is
  /// synchronous: it answers with the token at hand, expired or not, and starts no refresh.
  public var headersRenewToken = false
  /// Receives tracked events, diagnostics and cookie changes. Held weakly.
  public weak var delegate: (any TodayHostDelegate)?
  /// The session's access token.
  public let tokens: TokenStore
  /// The cookies that the host sets in the web view's cookie store.
  public let cookies: CookieStorage

  private let delivery: TrackDelivery?
  private let limits: TrackLimits
  private let clock: any BridgeClock
  private let random: BridgeRandom
  private var log: EventBuffer

  /// Creates the host of a session.
  ///
  /// - Parameters:
  ///   - tokens: The session's access token.
  ///   - cookies: The session's cookies.
  ///   - trust: Which documents are trusted.
  ///   - identity: The identity in tracked events.
  ///   - extraHeaders: The headers that trusted surfaces get besides the bearer token.
  ///   - delivery: Sends tracked events to a collector; nil keeps them in ``events`` only.
  ///   - limits: The limits of ``events``.
  ///   - clock: The time of events.
  ///   - random: The identifiers of events.
  public init(
    tokens: TokenStore,
    cookies: CookieStorage,
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

  /// The latest tracked events, oldest first, within the limits.
  public var events: [TrackedEvent] { Array(log.events) }

  // MARK: The account

  /// The app is launched: gets a token in the background if someone is signed in.
  public func launch() {
    tokens.prefetch()
  }

  /// Signs in, and gets a token in the background.
  public func signIn() {
    tokens.signIn()
    tokens.prefetch()
  }

  /// Signs out: removes the token and the cookie of `establishSession`, and ends a pending refresh. The contract does
  /// not say whether the cookie is removed; this is our choice.
  public func signOut() {
    // The cookie goes first, so that everything is cleared when pending calls get their answer.
    cookies.removeCookies { $0.name == Self.sessionCookieName }
    delegate?.todayHostDidChangeCookies(self)
    tokens.signOut()
  }

  /// Stores a cookie from the site's own server in ``cookies`` if it replaces one that the host has set.
  ///
  /// - Parameters:
  ///   - header: The value of the Set-Cookie header.
  ///   - siteURL: The URL of the request at the site.
  ///   - context: Where the request comes from.
  /// - Returns: Whether the cookie was the host's. If false, the browser should store it.
  public func takeCookie(setBy header: String, at siteURL: URL, context: CookieContext = .sameSite) -> Bool {
    guard let setCookie = try? SetCookie(parsing: header), setCookie.name == Self.sessionCookieName,
      let host = siteURL.host?.lowercased(),
      cookies.metadata.contains(where: { $0.name == Self.sessionCookieName && $0.domain == host })
    else { return false }
    cookies.setCookies(from: [header], url: siteURL, context: context)
    delegate?.todayHostDidChangeCookies(self)
    return true
  }

  /// Removes the cookies of a host, its subdomains and its parent domains, as for `Clear-Site-Data`.
  public func clearCookies(of host: String) {
    let count = cookies.removeCookies { cookie in
      cookie.domain == host || cookie.domain.hasSuffix("." + host) || host.hasSuffix("." + cookie.domain)
    }
    if count > 0 { delegate?.todayHostDidChangeCookies(self) }
  }

  // MARK: Messages

  /// Answers a message from a page.
  ///
  /// Trust is decided when the answer is ready: `document` is called again after a wait for a token. A page that has
  /// gone gets no answer.
  ///
  /// - Parameters:
  ///   - value: The message; nil for `undefined`.
  ///   - turn: The messages that the page has posted in the same turn.
  ///   - document: Returns the calling document, or nil once the page has gone.
  ///   - reply: Called at most once with the answer, on `BridgeActor`.
  public func receive(
    _ value: JSONValue?,
    in turn: TodayTurn = TodayTurn(),
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
      guard headersRenewToken, decision == .trusted else {
        return reply(headers(for: decision, token: tokens.heldToken))
      }
      tokens.current { [self] outcome in
        guard let caller = document() else { return }
        reply(headers(for: trust.decide(caller), token: try? outcome.get()))
      }
    case .refreshToken:
      guard decision == .trusted else { return reply(.undefined) }
      turn.refresh(tokens) { [self] outcome in
        guard let caller = document() else { return }
        reply(trust.decide(caller) == .trusted ? authorization(outcome) : .undefined)
      }
    case .establishSession(let refresh):
      guard decision == .trusted else { return reply(.value(["ok": false])) }
      let mint: TokenStore.Joiner = { [self] outcome in
        guard let caller = document() else { return }
        reply(.value(["ok": .bool(establishSession(for: caller, token: try? outcome.get()))]))
      }
      if refresh { turn.refresh(tokens, mint) } else { tokens.current(mint) }
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

  /// Sets the session cookie, for the document's host only. Returns whether it was stored.
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
    guard let name else { return drop(nil, .trackWithoutName) }
    var identity = identity
    if !tokens.isSignedIn { identity.userID = nil }
    let event = TrackedEvent(
      name: name, parameters: parameters, eventID: random.uuid(), time: clock.now, identity: identity)
    guard event.byteCount <= limits.eventByteCount else {
      return drop(name, .eventTooLarge(byteCount: event.byteCount))
    }
    log.append(event)
    delivery?.enqueue(event)
    delegate?.todayHost(self, didTrack: event)
  }

  private func drop(_ name: String?, _ diagnostic: TodayDiagnostic) {
    note(diagnostic)
    delegate?.todayHost(self, didDropEvent: name, because: diagnostic)
  }

  private func note(_ diagnostic: TodayDiagnostic) {
    delegate?.todayHost(self, didNote: diagnostic)
  }
}
