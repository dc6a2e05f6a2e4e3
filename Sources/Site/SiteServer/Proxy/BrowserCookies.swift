import BridgeRuntime
import HTTP1
import HTTPTypes
import Sessions

/// The cookies that upstream servers have set in the browser of each session, without their values. The server needs them to clear the
/// cookies.
@BridgeActor
final class BrowserCookies {
  /// The maximum number of cookies remembered for a session. It is enough for most sites. The oldest are forgotten first.
  static let cookieLimit = 50
  /// The maximum number of sessions remembered. The oldest are forgotten first.
  static let sessionLimit = 1_000
  /// The maximum number of fields that expire cookies: browsers and proxies accept about 200 fields in all.
  static let expiryLimit = 100

  private var cookiesBySession: [String: [BrowserCookie]] = [:]
  private var sessionIDs: [String] = []

  /// Remembers cookies that the browser of a session gets.
  func remember(_ cookies: [BrowserCookie], of sessionID: String) {
    guard !cookies.isEmpty else { return }
    if cookiesBySession[sessionID] == nil {
      if sessionIDs.count >= Self.sessionLimit { cookiesBySession[sessionIDs.removeFirst()] = nil }
      sessionIDs.append(sessionID)
    }
    var known = cookiesBySession[sessionID] ?? []
    known.removeAll { cookies.contains($0) }
    known += cookies
    cookiesBySession[sessionID] = known.suffix(Self.cookieLimit)
  }

  /// The fields that make the cookies of the site expire in a session's browser. They cover the cookies that upstream servers have set.
  /// They also cover cookies that only the request shows, since a script has set them, on each path that they can have.
  func expiries(of sessionID: String?, request: RequestHead, ours: SessionCookie, isSecure: Bool) -> [HTTPField] {
    let known = sessionID.flatMap { cookiesBySession[$0] } ?? []
    var expiring = known
    let path = request.target.path ?? "/"
    for name in Self.names(in: request.fields, except: ours) where !known.contains(where: { $0.isNamed(name) }) {
      expiring += BrowserCookie.candidates(name, requestPath: path)
    }
    return expiring.prefix(Self.expiryLimit).map { $0.expired(isSecure: isSecure) }
  }

  private static func names(in fields: HTTPFields, except ours: SessionCookie) -> [ArraySlice<UInt8>] {
    fields[fields: .cookie].compactMap { ours.removed(from: $0) }
      .flatMap { $0.valueBytes.split(separator: UInt8(ascii: ";")) }
      .compactMap { pair in
        pair.firstIndex(of: UInt8(ascii: "=")).map { pair[..<$0].trimmingWhitespace }
      }
  }
}
