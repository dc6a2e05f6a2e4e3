import BridgeRuntime
import CookieJar
import Foundation
import HTTPTypes
import Today

/// A session's cookies between browser and upstream: a web view has one store, here it is the browser's and the jar together.
///
/// URLs are the site's: those that the requests would have in production.
@BridgeActor
struct SiteCookies {
  private let today: TodayHost

  init(today: TodayHost) {
    self.today = today
  }

  /// The Cookie header to send upstream in place of the browser's; nil for none.
  ///
  /// The jar's cookies come first; of the browser's those follow that the jar does not have, without Footbridge's own.
  func cookieHeader(for siteURL: URL, method: HTTPRequest.Method, fields: HTTPFields) -> String? {
    let ours = today.cookies.cookies(for: siteURL, context: Self.context(method, fields))
    let names = Set(ours.map(\.name)).union([SessionCookie.name])
    let browsers = fields[values: .cookie].flatMap { $0.split(separator: ";") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !names.contains(Self.name(of: $0)) }
    let pairs = ours.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" } + browsers
    return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
  }

  /// Takes the cookies that the host owns out of upstream's Set-Cookie lines and into the jar; the lines for the browser are left.
  func take(_ setCookies: [String], from siteURL: URL, method: HTTPRequest.Method, fields: HTTPFields) -> [String] {
    setCookies.filter { line in
      guard today.ownsCookie(setBy: line, at: siteURL) else { return true }
      today.cookies.setCookies(from: [line], url: siteURL, context: Self.context(method, fields))
      return false
    }
  }

  /// From where the browser asks: its fetch metadata says so, and script cannot set it. Other clients ask as the site would.
  private static func context(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> CookieContext {
    func metadata(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
    return CookieContext(
      isSameSite: metadata("Sec-Fetch-Site") != "cross-site",
      isTopLevelNavigation: metadata("Sec-Fetch-Mode") == "navigate" && metadata("Sec-Fetch-Dest") == "document",
      isSafeMethod: [.get, .head, .options, .trace].contains(method)
    )
  }

  private static func name(of pair: String) -> String {
    guard let equals = pair.firstIndex(of: "=") else { return "" }
    return pair[..<equals].trimmingCharacters(in: .whitespaces)
  }
}
