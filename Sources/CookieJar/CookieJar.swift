public import Foundation
import Synchronization

/// A store of cookies as RFC 6265bis has it, sections 5.6 to 5.8: what a web view's cookie store is on a device.
///
/// Secure means `https` and `wss`, on every host: unlike Chromium, and like WebKit, `http://localhost` is not secure. Ports do not
/// separate cookies. Callable from any thread.
public final class CookieJar: Sendable {
  private let store: Mutex<CookieStore>
  private let limits: CookieJarLimits
  private let now: @Sendable () -> Date

  /// Creates an empty jar that takes the time from `now`.
  public init(limits: CookieJarLimits = CookieJarLimits(), now: @escaping @Sendable () -> Date = { Date() }) {
    store = Mutex(CookieStore(limits: limits))
    self.limits = limits
    self.now = now
  }

  // MARK: Storing

  /// Takes the Set-Cookie headers of the response for `url`, in their order. Returns what became of each.
  @discardableResult
  public func setCookies(
    from headers: [String],
    url: URL,
    context: CookieContext = .sameSite
  ) -> [CookieOutcome] {
    guard let request = CookieRequest(url: url) else {
      return headers.map { _ in .refused(.unusableURL) }
    }
    let now = now()
    return store.withLock { store in
      headers.map { header in
        do throws(CookieRefusal) {
          let cookie = try request.cookie(from: try SetCookie(parsing: header), context: context, now: now)
          store.removeExpired(at: now)
          if !request.isSecure, store.hasSecureCookie(shadowedBy: cookie) { throw .shadowsSecureCookie }
          if !context.isHTTP, store.existing(cookie)?.isHTTPOnly == true { throw .httpOnly }
          return store.insert(cookie, at: now)
        } catch {
          return .refused(error)
        }
      }
    }
  }

  /// Puts in a cookie that the host has made itself: what `WKHTTPCookieStore.setCookie(_:)` is on a device. No rule about who may set
  /// what applies, but the cookie has to be one that can stand in a header.
  ///
  /// - Throws: ``CookieRefusal/malformed``, ``CookieRefusal/empty``, ``CookieRefusal/tooLong`` or ``CookieRefusal/noRoom``.
  public func setCookie(_ cookie: Cookie) throws(CookieRefusal) {
    try cookie.check()
    let now = now()
    if case .refused(let refusal) = store.withLock({ $0.insert(cookie, at: now) }) { throw refusal }
  }

  /// Removes the cookies that `isUnwanted` picks; it must not use the jar. Returns how many.
  @discardableResult
  public func removeCookies(where isUnwanted: (Cookie) -> Bool) -> Int {
    store.withLock { $0.remove(where: isUnwanted) }
  }

  // MARK: Retrieving

  /// The cookies that a request for `url` carries, in the order of its Cookie header. Counts as a use of each.
  public func cookies(for url: URL, context: CookieContext = .sameSite) -> [Cookie] {
    guard let request = CookieRequest(url: url) else { return [] }
    let now = now()
    return store.withLock { $0.use(for: request.host, at: now) { request.carries($0, context: context) } }
  }

  /// The Cookie header of a request for `url`; nil when it has none. Counts as a use of each cookie in it.
  public func cookieHeader(for url: URL, context: CookieContext = .sameSite) -> String? {
    let cookies = cookies(for: url, context: context)
    return cookies.isEmpty ? nil : cookies.map(\.headerText).joined(separator: "; ")
  }

  /// What may be shown of all cookies, in the order of their creation. Does not count as a use.
  public var metadata: [CookieMetadata] {
    let now = now()
    return store.withLock { store in
      store.removeExpired(at: now)
      return store.cookies.map(\.metadata)
    }
  }

  /// The values of all cookies, for whoever must leave them out of what is shown. Does not count as a use.
  public var values: [String] { store.withLock { $0.cookies.map(\.value) } }

  // MARK: Keeping

  /// The cookies that outlive the session, values included: for a file that only its owner can read.
  public func snapshot() -> CookieJarSnapshot {
    let now = now()
    return store.withLock { store in
      store.removeExpired(at: now)
      return CookieJarSnapshot(cookies: store.cookies.filter(\.isPersistent))
    }
  }

  /// Takes over what ``snapshot()`` gave, in place of all that is in the jar. Passed over are cookies that have expired meanwhile, whose
  /// domain has become a public suffix, or that no jar would have given.
  public func restore(_ snapshot: CookieJarSnapshot) {
    let now = now()
    var restored = CookieStore(limits: limits)
    for cookie in snapshot.cookies.sorted(by: { $0.creationDate < $1.creationDate })
    where cookie.isRestorable(at: now) && restored.existing(cookie) == nil {
      restored.restore(cookie)
    }
    store.withLock { $0 = restored }
  }
}
