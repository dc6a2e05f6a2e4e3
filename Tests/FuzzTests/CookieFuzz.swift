import CookieJar
import Foundation
import HTTPTypes

@testable import BridgeServer
@testable import Footbridge
@testable import OnsideServer
@testable import Sessions
@testable import SiteServer
@testable import TodayServer

/// Cookies: the jar keeps its limits and the rules, and the session's cookie goes to nobody else.
enum CookieFuzz {
  private static let urls = [
    "https://www.site.example/a/b", "http://www.site.example/a", "https://site.example/", "http://127.0.0.1:8080/x",
    "http://localhost/",
  ].compactMap { URL(string: $0) }

  static func check(_ input: [UInt8]) throws {
    let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let limits = CookieStorageLimits(cookiesPerDomain: 4, cookies: 10)
    let time = Date(timeIntervalSince1970: 1_760_000_000)
    let jar = CookieStorage(limits: limits) { time }
    for url in urls { jar.setCookies(from: lines.map { String(decoding: $0, as: UTF8.self) }, url: url) }
    for url in urls {
      let header = jar.cookieHeader(for: url) ?? ""
      try FuzzFinding.unless(
        !header.utf8.contains { ($0 < 0x20 && $0 != 9) || $0 == 0x7F },
        "A control byte in a header: \(header.debugDescription)")
      for cookie in jar.cookies(for: url) where cookie.isSecure {
        try FuzzFinding.unless(url.scheme == "https", "A secure cookie goes to \(url)")
      }
    }
    try FuzzFinding.unless(jar.metadata.count <= limits.cookies, "The jar is too full.")
    let snapshot = jar.snapshot()
    let stored = try JSONDecoder().decode(CookieStorageSnapshot.self, from: JSONEncoder().encode(snapshot))
    let other = CookieStorage(limits: limits) { time }
    other.restore(stored)
    try FuzzFinding.unless(other.snapshot() == snapshot, "Kept cookies are others.")
    if let line = lines.last { try checkSessionCookie(line) }
  }

  private static func checkSessionCookie(_ value: ArraySlice<UInt8>) throws(FuzzFinding) {
    let field = HTTPField(name: .cookie, value: value)
    guard let removed = SessionCookie.usual.removed(from: field) else { return }
    var fields = HTTPFields()
    fields.append(removed)
    let value = SessionCookie.value(in: fields, isSecure: true) ?? SessionCookie.value(in: fields, isSecure: false)
    try FuzzFinding.unless(value == nil, "The session's cookie is still in \(removed.value)")
  }
}
