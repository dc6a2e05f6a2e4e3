import BridgeRuntime
import CookieJar
import Essentials
import HTTP1
import HTTPTypes
import Sessions
import Today

/// The cookies of one request to an upstream. A web view has one store; here it is the browser's cookies and the session's jar together.
@BridgeActor
struct TodayUpstreamCookies: SiteCookies {
  private let today: TodayHost
  private let siteURL: URL
  private let head: RequestHead
  private let sessionCookie: SessionCookie

  /// `siteURL` is the request's URL in production.
  init(today: TodayHost, siteURL: URL, head: RequestHead) {
    self.today = today
    self.siteURL = siteURL
    self.head = head
    sessionCookie = SessionCookie(in: head.fields)
  }

  /// The jar's cookies, followed by the browser's that the jar lacks, without Footbridge's own.
  package func field(insteadOf browsers: [HTTPField]) -> HTTPField? {
    guard !today.cookies.isEmpty else { return nil }
    let ours = today.cookies.cookies(for: siteURL, context: context)
    guard !ours.isEmpty else { return nil }
    let names = Set(ours.map { Array($0.name.utf8) })
    let pairs = browsers.compactMap { sessionCookie.removed(from: $0) }
      .flatMap { $0.valueBytes.split(separator: UInt8(ascii: ";")) }
      .map(\.trimmingWhitespace)
      .filter { !$0.isEmpty && !names.contains(Self.name(of: $0)) }
    let all = ours.map { Array(($0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)").utf8)[...] } + pairs
    return HTTPField(name: .cookie, value: Array(all.joined(separator: Array("; ".utf8))))
  }

  /// Stores a cookie that the host has issued.
  package func take(_ setCookie: HTTPField) -> Bool {
    today.takeCookie(setBy: setCookie.value, at: siteURL, context: context)
  }

  package func clear() {
    if let host = siteURL.host { today.clearCookies(of: host.lowercased()) }
  }

  /// The context of a browser's request, by its fetch metadata, which scripts cannot set. Without them, by `Origin`, `Referer` and
  /// `Upgrade-Insecure-Requests`. A client that sends none of these counts as the site itself.
  private var context: CookieContext {
    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { head.fields[$0] } }
    let isSafe = [.get, .head, .options, .trace].contains(head.method)
    guard let relation = field("Sec-Fetch-Site") else {
      return CookieContext(
        isSameSite: [.origin, .referer].allSatisfy { head.fields[$0].map { Self.isOfSite($0, head) } ?? true },
        isTopLevelNavigation: field("Upgrade-Insecure-Requests") == "1",
        isSafeMethod: isSafe
      )
    }
    return CookieContext(
      isSameSite: relation != "cross-site",
      isTopLevelNavigation: field("Sec-Fetch-Mode") == "navigate" && field("Sec-Fetch-Dest") == "document",
      isSafeMethod: isSafe
    )
  }

  /// Whether a page with this address or origin has the host of a request, on any port.
  private static func isOfSite(_ address: String, _ head: RequestHead) -> Bool {
    guard case .absolute(_, let authority, _, _) = RequestTarget(address, method: .get) else { return false }
    return authority.host == head.authority?.host
  }

  private static func name(of pair: ArraySlice<UInt8>) -> [UInt8] {
    guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return [] }
    return Array(pair[..<equals].trimmingWhitespace)
  }
}
