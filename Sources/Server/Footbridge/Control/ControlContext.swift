import BridgeCore
import BridgeRuntime
import BridgeServer
import Sessions
import SiteServer

/// What the server's own routes of the control API use besides a request. Routes of bridges do without it.
struct ControlContext: Sendable {
  /// The sites under their own origins; nil if the server is not a proxy.
  var proxiedSites: ProxiedSites?
  /// What native sets before pages.
  let launches: Launches
  /// The one-time codes for sessions.
  let entryCodes: OneTimeCodes<Secret>
  /// The dashboard's address, and its codes.
  let dashboard: DashboardAccess
  /// The journals of sessions that ended after a failed test.
  let failedSessions: FailedSessions
  /// The servers on the same store.
  var group: any ServerGroup = SingleServer()

  /// The origin of the pages for the client of this request: that of the first site under its own origin, or the server's own.
  @BridgeActor
  func pageOrigin(for request: ControlRequest) -> String {
    proxiedSites?.origins.first ?? request.serverOrigin
      ?? (request.exchange.isSecure ? "https://" : "http://") + (request.exchange.head.host ?? "localhost")
  }

  /// The sessions of the other servers on the same store.
  @BridgeActor
  func sessionsElsewhere(for request: ControlRequest) async -> [JSONValue] {
    await group.sessionsElsewhere(for: request.exchange, request.serverOrigin == nil ? .own : .dashboard)
  }
}
