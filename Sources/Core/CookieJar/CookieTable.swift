import Essentials

/// The cookies of a jar, ordered and evicted as RFC 6265bis says. A pure value; the caller passes the time.
struct CookieTable {
  private struct Entry {
    var cookie: Cookie
    /// The order of creations and of accesses, since two dates may be equal.
    var creation: Int
    var access: Int
  }

  private let limits: CookieStorageLimits
  private var domains: [String: [Entry]] = [:]
  private var count = 0
  private var ticks = 0
  /// No cookie expires before this date; nil if no cookie has an expiry date.
  private var earliestExpiry: Date?

  init(limits: CookieStorageLimits) {
    self.limits = limits
  }

  /// All cookies, in the order of their creation.
  var cookies: [Cookie] {
    domains.values.joined().sorted { $0.creation < $1.creation }.map(\.cookie)
  }

  /// The cookies that a request carries, in the order of the Cookie header (section 5.8.3). Updates their last-access
  /// date.
  mutating func use(for host: CookieHost, at now: Date, where isWanted: (Cookie) -> Bool) -> [Cookie] {
    removeExpired(at: now)
    var found: [Entry] = []
    for domain in applicableDomains(of: host) {
      guard let entries = domains[domain] else { continue }
      for (index, entry) in entries.enumerated()
      where (!entry.cookie.isHostOnly || domain == host.name) && isWanted(entry.cookie) {
        ticks += 1
        domains[domain]?[index].cookie.lastAccessDate = now
        domains[domain]?[index].access = ticks
        found.append(entry)
      }
    }
    return found.sorted(by: Self.comesFirst).map(\.cookie)
  }

  /// The stored cookie that `cookie` would replace; nil if there is none.
  func existing(_ cookie: Cookie) -> Cookie? {
    domains[cookie.domain]?.first { $0.cookie.hasSameIdentity(as: cookie) }?.cookie
  }

  /// Whether `cookie` would hide a Secure cookie of the same name (section 5.7, step 16).
  func hasSecureCookie(shadowedBy cookie: Cookie) -> Bool {
    guard let domain = CookieHost(cookie.domain) else { return false }
    return domains.contains { other, entries in
      guard let otherHost = CookieHost(other), domain.matches(domain: other) || otherHost.matches(domain: domain.name)
      else { return false }
      return entries.contains {
        $0.cookie.isSecure && $0.cookie.name.utf8.elementsEqual(cookie.name.utf8)
          && CookiePath.matches(cookie.path, cookiePath: $0.cookie.path)
      }
    }
  }

  /// Stores a cookie. It replaces the cookie with the same identity, and takes over its creation date. An expired cookie
  /// only removes that one.
  mutating func insert(_ cookie: Cookie, at now: Date) -> CookieOutcome {
    removeExpired(at: now)
    ticks += 1
    var entry = Entry(cookie: cookie, creation: ticks, access: ticks)
    entry.cookie.lastAccessDate = now
    entry.cookie.creationDate = now
    if let index = domains[cookie.domain]?.firstIndex(where: { $0.cookie.hasSameIdentity(as: cookie) }),
      let old = domains[cookie.domain]?.remove(at: index)
    {
      count -= 1
      entry.creation = old.creation
      entry.cookie.creationDate = old.cookie.creationDate
    }
    if cookie.isExpired(at: now) {
      forgetIfEmpty(cookie.domain)
      return .expired
    }
    append(entry)
    removeExcess(of: cookie.domain)
    return existing(cookie) == nil ? .refused(.noRoom) : .stored
  }

  /// Stores a cookie of a snapshot, with its dates.
  mutating func restore(_ cookie: Cookie) {
    ticks += 1
    append(Entry(cookie: cookie, creation: ticks, access: ticks))
    removeExcess(of: cookie.domain)
  }

  /// Removes cookies, and returns how many.
  mutating func remove(where isUnwanted: (Cookie) -> Bool) -> Int {
    let before = count
    for domain in domains.keys {
      domains[domain]?.removeAll { isUnwanted($0.cookie) }
      forgetIfEmpty(domain)
    }
    count = domains.values.reduce(0) { $0 + $1.count }
    return before - count
  }

  /// Removes expired cookies.
  mutating func removeExpired(at now: Date) {
    guard let earliest = earliestExpiry, earliest <= now else { return }
    _ = remove { $0.isExpired(at: now) }
    earliestExpiry = domains.values.joined().compactMap(\.cookie.expires).min()
  }

  // MARK: Order and room

  /// Sorts longer paths first, then earlier creation.
  private static func comesFirst(_ one: Entry, _ other: Entry) -> Bool {
    let lengths = (one.cookie.path.utf8.count, other.cookie.path.utf8.count)
    return lengths.0 == lengths.1 ? one.creation < other.creation : lengths.0 > lengths.1
  }

  /// The host's name and its parent domains.
  private func applicableDomains(of host: CookieHost) -> [String] {
    if host.isAddress { return [host.name] }
    let labels = host.name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.indices.map { String(decoding: host.name.utf8[labels[$0].startIndex...], as: UTF8.self) }
  }

  private mutating func append(_ entry: Entry) {
    domains[entry.cookie.domain, default: []].append(entry)
    count += 1
    if let expires = entry.cookie.expires { earliestExpiry = min(expires, earliestExpiry ?? expires) }
  }

  /// Evicts cookies above the limits (section 5.7, "remove excess cookies"): of a domain first those that are not Secure,
  /// then any; of the whole store any. Evicts the least recently used one first. Expired cookies are already removed.
  private mutating func removeExcess(of domain: String) {
    while let entries = domains[domain], entries.count > limits.cookiesPerDomain {
      let insecure = entries.indices.filter { !entries[$0].cookie.isSecure }
      let candidates = insecure.isEmpty ? Array(entries.indices) : insecure
      guard let index = candidates.min(by: { entries[$0].access < entries[$1].access }) else { return }
      remove(at: index, of: domain)
    }
    while count > limits.cookies {
      let oldest = domains.compactMap { domain, entries in
        entries.indices.min { entries[$0].access < entries[$1].access }.map { (domain, $0, entries[$0].access) }
      }
      guard let (domain, index, _) = oldest.min(by: { $0.2 < $1.2 }) else { return }
      remove(at: index, of: domain)
    }
  }

  private mutating func remove(at index: Int, of domain: String) {
    domains[domain]?.remove(at: index)
    count -= 1
    forgetIfEmpty(domain)
  }

  private mutating func forgetIfEmpty(_ domain: String) {
    if domains[domain]?.isEmpty == true { domains[domain] = nil }
  }
}
