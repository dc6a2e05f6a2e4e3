import BridgeCore
import BridgeRuntime
import CookieJar
import Essentials
import HTTP1
import Today

extension Session {
  /// The Today host; nil when the bridge is switched off.
  var today: TodaySession? { bridge(TodaySession.self) }

  /// The session's cookies at a request that is passed on; nil when no bridge keeps any. `siteURL` is the one that it would have in
  /// production.
  func siteCookies(for head: RequestHead, at siteURL: URL) -> SiteCookies? {
    today?.siteCookies(for: head, at: siteURL)
  }
}

extension SessionProfile {
  static let signedInMember = "signedIn"
  private static let cookiesMember = "cookies"

  /// Whether someone is signed in to Today.
  var isSignedInToToday: Bool? {
    get { self["today"][Self.signedInMember]?.boolValue }
    set { self["today"][Self.signedInMember] = newValue.map { .bool($0) } }
  }

  /// The cookies that no script sees and that outlive a launch; nil for none. Their values are secrets.
  var cookies: CookieJarSnapshot? {
    get {
      guard let cookies = self["today"][Self.cookiesMember] else { return nil }
      return try? JSONDecoder().decode(CookieJarSnapshot.self, from: Data(cookies.jsonText.utf8))
    }
    set {
      let data = newValue.flatMap { try? JSONEncoder().encode($0) }
      self["today"][Self.cookiesMember] = data.flatMap { try? JSONValue(parsing: $0) }
    }
  }
}

extension ControlRequest {
  /// The Today host's part of the session that the path names.
  func today() async throws -> TodaySession { try await bridge(TodaySession.self) }
}
