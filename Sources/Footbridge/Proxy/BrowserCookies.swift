import BridgeRuntime
import HTTP1
import HTTPTypes

/// Which cookies upstreams have set in the browser of each session, without their values: what it takes to clear them.
@BridgeActor
final class BrowserCookies {
  /// How many cookies are remembered for a session: as many as there are in a browser for most sites. The oldest go first.
  static let cookieLimit = 50
  /// How many sessions are remembered. The oldest go first.
  static let sessionLimit = 1_000
  /// How many fields have cookies expire: a browser and a proxy take about 200 in all.
  static let expiryLimit = 100

  private var cookiesBySession: [String: [BrowserCookie]] = [:]
  private var sessionIDs: [String] = []

  /// The browser of a session gets these cookies.
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

  /// The fields with which the cookies expire that a session's browser has of the site: those that were set here, and for those that only
  /// a request shows (script has set them), each path on which they can be.
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
        pair.firstIndex(of: UInt8(ascii: "=")).map { pair[..<$0].trimmingSpaces }
      }
  }
}
