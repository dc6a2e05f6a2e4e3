import BridgeRuntime
import BridgeServer
import HTTP1
import HTTPTypes
package import Sessions

/// The session that a request belongs to, as the request names it.
package enum RequestedSession: Sendable, Hashable {
  /// No session, or a new one. Every replica can answer.
  case none
  /// The session of the browser's cookie.
  case key(String)
  /// The session with this id.
  case id(String)
  /// The session whose key a bridge looks up.
  case lookup(SessionLookup)

  /// Reads a request.
  ///
  /// - Parameters:
  ///   - isSecure: Whether the browser has sent it over TLS.
  ///   - path: The path of its target; nil if it has none.
  ///   - lookups: Find the session that a path of a bridge names.
  init(
    _ head: RequestHead, isSecure: Bool, path: String?, _ lookups: [@Sendable (Substring) -> SessionLookup?]
  ) {
    self = path.flatMap { Self.own($0, head.target.query, lookups) } ?? Self.browser(of: head, isSecure)
  }

  private static func browser(of head: RequestHead, _ isSecure: Bool) -> RequestedSession {
    SessionCookie.value(in: head.fields, isSecure: isSecure).map { .key(SessionKey(cookieValue: $0).rawValue) } ?? .none
  }

  /// The session that one of Footbridge's paths, or its query, names; nil if the browser's cookie decides.
  private static func own(
    _ path: String, _ query: String?, _ lookups: [@Sendable (Substring) -> SessionLookup?]
  ) -> RequestedSession? {
    guard path.hasPrefix(prefix) else { return nil }
    let route = path.dropFirst(prefix.count)
    if let rest = route.removing("api/v1/") {
      if rest == "events" { return id(Substring(QueryItems(query)["session"] ?? "")) }
      guard let rest = rest.removing("sessions/") else { return .some(.none) }
      return id(rest.prefix { $0 != "/" })
    }
    if let code = route.removing("enter/") { return id(code.prefix(SessionKey.idLength)) }
    switch route {
    case "", "api/v1", "metrics", "proxy.pac", "dashboard", "dashboard/", "health", "health/live", "health/ready":
      return .some(.none)
    default: return lookups.lazy.compactMap { $0(route) }.first.map { .lookup($0) }
    }
  }

  private static let prefix = "/__footbridge/"

  private static func id(_ text: Substring) -> RequestedSession {
    let id = String(text)
    return SessionKey.isID(id) ? .id(id) : .none
  }
}

extension Substring {
  /// The rest after a prefix; nil without it.
  func removing(_ prefix: Substring) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
