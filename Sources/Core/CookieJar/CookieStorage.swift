public import Essentials
import Synchronization

/// A cookie store (RFC 6265bis, sections 5.6 to 5.8). It stands in for a web view's `WKHTTPCookieStore`.
///
/// ```swift
/// let jar = CookieStorage()
/// jar.setCookies(from: ["session=1; Secure; HttpOnly"], url: URL(string: "https://shop.example/")!)
/// jar.cookieHeader(for: URL(string: "https://shop.example/cart")!)  // "session=1"
/// ```
///
/// Only `https` and `wss` are secure. As in WebKit, and unlike in Chromium, `http://localhost` is not. Cookies are
/// shared between the ports of a host. May be called from any thread.
public final class CookieStorage: Sendable {
  private let store: Mutex<CookieTable>
  private let limits: CookieStorageLimits
  private let now: @Sendable () -> Date

  /// Creates an empty jar.
  ///
  /// - Parameters:
  ///   - limits: How many cookies it holds.
  ///   - now: Returns the present time. May be called from any thread.
  public init(limits: CookieStorageLimits = CookieStorageLimits(), now: @escaping @Sendable () -> Date = { Date() }) {
    store = Mutex(CookieTable(limits: limits))
    self.limits = limits
    self.now = now
  }

  // MARK: Storing

  /// Stores the cookies of a response, if the rules allow it (section 5.7).
  ///
  /// - Parameters:
  ///   - headers: The values of its Set-Cookie header fields, in order.
  ///   - url: The URL of the request.
  ///   - context: Where the request comes from.
  /// - Returns: The outcome of each header, in the same order.
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

  /// Stores a cookie that native code makes, like `WKHTTPCookieStore.setCookie(_:)`. The rules for responses, such as
  /// those about SameSite and public suffixes, do not apply. But the cookie must be valid in a header. An expired cookie
  /// removes the stored one.
  ///
  /// - Throws: ``CookieRefusal/malformed``, ``CookieRefusal/empty``, ``CookieRefusal/tooLong`` or
  ///   ``CookieRefusal/noRoom``.
  public func setCookie(_ cookie: Cookie) throws(CookieRefusal) {
    try cookie.check()
    let now = now()
    if case .refused(let refusal) = store.withLock({ $0.insert(cookie, at: now) }) { throw refusal }
  }

  /// Removes cookies.
  ///
  /// - Parameter isUnwanted: Returns whether to remove a cookie. It must not call the jar.
  /// - Returns: How many cookies were removed.
  @discardableResult
  public func removeCookies(where isUnwanted: (Cookie) -> Bool) -> Int {
    store.withLock { $0.remove(where: isUnwanted) }
  }

  // MARK: Retrieving

  /// The cookies to send with a request (section 5.8.3), in the order of the Cookie header. Updates the last-access
  /// date of each.
  ///
  /// - Parameters:
  ///   - url: The URL of the request.
  ///   - context: Where the request comes from.
  public func cookies(for url: URL, context: CookieContext = .sameSite) -> [Cookie] {
    guard let request = CookieRequest(url: url) else { return [] }
    let now = now()
    return store.withLock { $0.use(for: request.host, at: now) { request.carries($0, context: context) } }
  }

  /// Whether there are no cookies, not even expired ones.
  public var isEmpty: Bool { store.withLock { $0.cookies.isEmpty } }

  /// The value of a request's Cookie header; nil when no cookie applies. Updates the last-access date of each cookie in
  /// it.
  ///
  /// - Parameters:
  ///   - url: The URL of the request.
  ///   - context: Where the request comes from.
  public func cookieHeader(for url: URL, context: CookieContext = .sameSite) -> String? {
    let cookies = cookies(for: url, context: context)
    return cookies.isEmpty ? nil : cookies.map(\.headerText).joined(separator: "; ")
  }

  /// All cookies without their values, in the order of their creation. Does not update last-access dates.
  public var metadata: [CookieMetadata] {
    let now = now()
    return store.withLock { store in
      store.removeExpired(at: now)
      return store.cookies.map(\.metadata)
    }
  }

  /// The values of all cookies, for code that must keep them out of logs. Does not update last-access dates.
  public var values: [String] { store.withLock { $0.cookies.map(\.value) } }

  // MARK: Keeping

  /// Returns the persistent cookies with their values. Keep them in a file that only its owner can read.
  public func snapshot() -> CookieStorageSnapshot {
    let now = now()
    return store.withLock { store in
      store.removeExpired(at: now)
      return CookieStorageSnapshot(cookies: store.cookies.filter(\.isPersistent))
    }
  }

  /// Replaces the jar's content by a snapshot. Skips cookies that have expired since then, that are invalid, or whose
  /// domain has become a public suffix.
  public func restore(_ snapshot: CookieStorageSnapshot) {
    let now = now()
    var restored = CookieTable(limits: limits)
    for cookie in snapshot.cookies.sorted(by: { $0.creationDate < $1.creationDate })
    where cookie.isRestorable(at: now) && restored.existing(cookie) == nil {
      restored.restore(cookie)
    }
    store.withLock { $0 = restored }
  }
}

/// How many cookies a ``CookieStorage`` holds. RFC 6265bis, section 6.1, asks for at least 50 for each domain and 3000
/// in all.
public struct CookieStorageLimits: Sendable, Hashable {
  /// The most cookies with the same domain.
  public var cookiesPerDomain: Int
  /// The most cookies in all.
  public var cookies: Int

  /// Creates limits. By default, a domain may have 180 cookies, as in Chromium.
  public init(cookiesPerDomain: Int = 180, cookies: Int = 3000) {
    self.cookiesPerDomain = max(cookiesPerDomain, 0)
    self.cookies = max(cookies, 0)
  }
}

/// The persistent cookies of a ``CookieStorage``, to keep them between two runs of a program. The encoded form includes
/// the values; the printed form does not.
///
/// ```swift
/// let bytes = try JSONEncoder().encode(jar.snapshot())
/// jar.restore(try JSONDecoder().decode(CookieStorageSnapshot.self, from: bytes))
/// ```
public struct CookieStorageSnapshot: Sendable, Hashable, Codable {
  /// The cookies, in the order of their creation.
  public let cookies: [Cookie]
}
