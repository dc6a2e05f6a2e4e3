import Essentials

extension Cookie {
  /// Checks a cookie that was not parsed from a Set-Cookie header: nothing in it may end the cookie or the header.
  func check() throws(CookieRefusal) {
    let texts = [name, value, domain, path]
    let semicolon = UInt8(ascii: ";")
    guard texts.allSatisfy({ !$0.utf8.contains { $0.isForbiddenControl || $0 == semicolon } }) else { throw .malformed }
    guard !name.utf8.contains(UInt8(ascii: "=")), path.utf8.first == UInt8(ascii: "/"),
      CookieHost(domain)?.name == domain
    else { throw .malformed }
    let count = name.utf8.count + value.utf8.count
    if count == 0 { throw .empty }
    if count > Self.maximumByteCount { throw .tooLong }
  }

  /// Whether a jar may restore this cookie from a snapshot.
  func isRestorable(at now: Date) -> Bool {
    guard (try? check()) != nil, let expires, !isExpired(at: now) else { return false }
    return expires <= now.addingTimeInterval(Double(Self.maximumAge))
      && (isHostOnly || !PublicSuffixList.contains(domain))
  }
}
