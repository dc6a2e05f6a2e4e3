import CookieJar
import Foundation
import Synchronization
import Testing

/// A jar whose time stands still until it is told to advance, and whose URLs are text.
final class TestJar: Sendable {
  /// 2025-10-09T08:53:20Z.
  private static let start = Date(timeIntervalSince1970: 1_760_000_000)

  private final class Time: Sendable {
    let now = Mutex(TestJar.start)
  }

  private let time = Time()
  let jar: CookieStorage

  init(limits: CookieStorageLimits = CookieStorageLimits()) {
    jar = CookieStorage(limits: limits) { [time] in time.now.withLock { $0 } }
  }

  var now: Date { time.now.withLock { $0 } }

  func advance(_ seconds: Double) {
    time.now.withLock { $0 += seconds }
  }

  @discardableResult
  func set(
    _ headers: String...,
    at url: String = "https://www.site.example/",
    context: CookieContext = .sameSite
  ) throws -> [CookieOutcome] {
    jar.setCookies(from: headers, url: try #require(URL(string: url)), context: context)
  }

  /// The Cookie header; empty when there is none.
  func header(at url: String = "https://www.site.example/", context: CookieContext = .sameSite) throws -> String {
    jar.cookieHeader(for: try #require(URL(string: url)), context: context) ?? ""
  }

  /// The cookies that a request carries.
  func cookies(at url: String) throws -> [Cookie] {
    jar.cookies(for: try #require(URL(string: url)))
  }

  var names: [String] { jar.metadata.map(\.name) }
}
